// Parses both kinds of forms into data: pairs as in query strings, without loss, and multipart bodies, whose field
// `data` is the JSON of an entry (B-4.80, B-4.81).

import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { PlinthError, ValidationError } from '@plinth/kernel'
import { checkText, parseJson, readMultipart } from '@plinth/server/transport'
import { innerNames, type PairRules, parsePairs } from './pairs.ts'

const rules: PairRules = {
  name: 'body',
  // Equals the maximum number of pairs, so that what is sent as a list stays one.
  arrayLimit: 1000,
  strictNullHandling: false,
  refused: innerNames(),
}

/** The data of a form. Throws ValidationError for text that the database cannot store as it was sent. */
export function parseForm(body: Buffer): Record<string, unknown> {
  if (!isUtf8(body)) throw new ValidationError('Invalid body: it is not UTF-8')
  const text = body.toString()
  const data = parsePairs(text, rules)
  if (text.includes('%00') || text.includes('\0')) checkText(data)
  return data
}

/** The data of a multipart body. Throws PlinthError if it is malformed, too large or contains files. */
export async function parseMultipart(request: IncomingMessage, limit: number): Promise<{ readonly data?: unknown }> {
  const body = (await readMultipart(request, { fields: ['data'], limit, refuseFile })).get('data')
  return body === undefined ? {} : { data: parseJson(body) }
}

/** The error of a file: no plugin stores files yet. An upload plugin will accept them here. */
function refuseFile(name: string): PlinthError {
  if (name.startsWith('files.')) {
    const fault = 'cannot be stored, because no plugin for files is enabled'
    return new ValidationError(`${name} ${fault}`, { path: name })
  }
  const rule = `When using multipart/form-data you need to provide your files by prefixing them with the 'files'.`
  const example = `For example, when a media file is named "avatar", make sure the form key name is "files.avatar"`
  return new PlinthError(400, 'BadRequestError', `${rule}\n${example}`)
}
