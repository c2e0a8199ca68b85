// Sends the text of an answer: at once, or in chunks if it is long. Knows no entries.

import { Readable } from 'node:stream'
import { setImmediate as others } from 'node:timers/promises'
import type { FastifyReply } from 'fastify'
import type { Written } from './serialize.ts'
import type { TextBuffer } from './text-buffer.ts'

const jsonType = 'application/json; charset=utf-8'

/** Sends an answer. Does not wait: a handler that returns the reply is awaited by Fastify. */
export function sendNow(reply: FastifyReply, data: Written, meta: Record<string, unknown>): FastifyReply {
  const end = `,"meta":${JSON.stringify(meta)}}`
  const answer =
    typeof data === 'string' ? `{"data":${data}${end}` : streamOf(data.buffer, `{"data":${data.text}${end}`)
  return reply.header('content-type', jsonType).send(answer)
}

/** Streams a long answer in chunks as the client reads it, and yields to the event loop between them. */
function streamOf(buffer: TextBuffer, answer: string): Readable {
  async function* chunks() {
    for (const chunk of buffer.expand(answer)) {
      yield chunk
      await others()
    }
  }
  return Readable.from(chunks(), { objectMode: false, highWaterMark: 64 * 1024 })
}
