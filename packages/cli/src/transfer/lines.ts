// Splits the content of a file into the JSON values of its lines.

import { StringDecoder } from 'node:string_decoder'
import { Failure } from '../failure.ts'

/** A line of a file. */
export interface Line {
  /** From 0. */
  readonly number: number
  readonly value: Readonly<Record<string, unknown>>
}

/** The lines from the number `from` on; empty ones are not counted. Throws Failure for a line that is no JSON object. */
export async function* linesOf(content: AsyncIterable<Buffer>, path: string, from: number): AsyncGenerator<Line> {
  let number = 0
  for await (const text of textsOf(content)) {
    if (text.trim() === '') continue
    if (number >= from) yield { number, value: parse(text, `${path}, line ${number + 1}`) }
    number++
  }
}

async function* textsOf(content: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new StringDecoder()
  // Parts of a line are joined once, when it ends: a line may be long.
  let parts: string[] = []
  for await (const chunk of content) {
    const texts = decoder.write(chunk).split('\n')
    const last = texts.pop()!
    for (const text of texts) {
      yield [...parts, text].join('')
      parts = []
    }
    parts.push(last)
  }
  yield [...parts, decoder.end()].join('')
}

function parse(text: string, place: string): Line['value'] {
  try {
    const value: unknown = JSON.parse(text)
    if (value !== null && typeof value === 'object' && !Array.isArray(value)) return value as Line['value']
  } catch {
    // The message of the parser would show content.
  }
  throw new Failure(`${place} is no JSON object: the archive is damaged`)
}
