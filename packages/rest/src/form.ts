// Forms into data, of both kinds: pairs as in query strings, with nothing lost, and multipart bodies, whose field `data` is the
// JSON of an entry (B-4.80, B-4.81).

import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { PlinthError, ValidationError } from '@plinth/kernel'
import { checkText, parseJson, readMultipart } from '@plinth/server/transport'
import { innerNames, type PairRules, parsePairs } from './pairs.ts'

const rules: PairRules = {
  name: 'body',
  // As many as there may be pairs: what is sent as a list is one.
  arrayLimit: 1000,
  strictNullHandling: false,
  refused: innerNames(),
}

/** The data of a form. Throws ValidationError for what cannot be kept as it was sent. */
export function parseForm(body: Buffer): Record<string, unknown> {
  if (!isUtf8(body)) throw new ValidationError('Invalid body: it is not UTF-8')
  const text = body.toString()
  const data = parsePairs(text, rules)
  if (text.includes('%00') || text.includes('\0')) checkText(data)
  return data
}

/** The data of a multipart body. Throws PlinthError for what is broken or too large, and for files. */
export async function parseMultipart(request: IncomingMessage, limit: number): Promise<{ readonly data?: unknown }> {
  const body = (await readMultipart(request, { fields: ['data'], limit, refuseFile })).get('data')
  return body === undefined ? {} : { data: parseJson(body) }
}

/** Files have nobody yet who keeps them: an upload plugin will take them here. */
function refuseFile(name: string): PlinthError {
  if (name.startsWith('files.')) {
    const fault = 'cannot be kept: files need an upload plugin, and none is enabled'
    return new ValidationError(`${name} ${fault}`, { path: name })
  }
  const rule = `When using multipart/form-data you need to provide your files by prefixing them with the 'files'.`
  const example = `For example, when a media file is named "avatar", make sure the form key name is "files.avatar"`
  return new PlinthError(400, 'BadRequestError', `${rule}\n${example}`)
}
