// Sends the text of an answer: at once, or in chunks if it is long. Knows no entries.

import { Readable } from 'node:stream'
import { bytesOfAnswer, nextSlice, releaseShare, shareOf } from '@plinth/server/transport'
import type { FastifyReply } from 'fastify'
import type { Written } from './serialize.ts'
import type { TextBuffer } from './text-buffer.ts'

const jsonType = 'application/json; charset=utf-8'

/**
 * Sends an answer, whose bytes count until its client has taken it. Does not wait for that: a handler that returns the
 * reply is awaited by Fastify. A read waits if the server has no room for its answer, and throws UnavailableError if it
 * gets none. What a write has done is answered in any case.
 */
export function sendAnswer(
  reply: FastifyReply,
  action: string,
  data: Written,
  meta: Record<string, unknown>,
): FastifyReply | Promise<FastifyReply> {
  const end = `,"meta":${JSON.stringify(meta)}}`
  const share = shareOf(reply.request)
  const isText = typeof data === 'string'
  const text = `{"data":${isText ? data : data.text}${end}`
  const bytes = isText ? bytesOfAnswer(text) : data.heldBytes
  const answer = isText ? text : data
  const isRead = action === 'find' || action === 'findOne'
  if (share.answer(bytes) || !isRead) return sendText(reply, text, answer)
  return share.room('answers', 0).then(() => sendText(reply, text, answer))
}

function sendText(reply: FastifyReply, text: string, answer: Written): FastifyReply {
  const body = typeof answer === 'string' ? answer : streamOf(answer.buffer, text)
  reply.header('content-type', jsonType).send(body)
  releaseShare(reply.request)
  return reply
}

/** Streams a long answer in chunks as the client reads it. Other answers have their turns between them. */
function streamOf(buffer: TextBuffer, answer: string): Readable {
  async function* chunks() {
    let isFirst = true
    for (const chunk of buffer.expand(answer)) {
      if (!isFirst) await nextSlice()
      isFirst = false
      yield chunk
    }
  }
  return Readable.from(chunks(), { objectMode: false, highWaterMark: 64 * 1024 })
}
