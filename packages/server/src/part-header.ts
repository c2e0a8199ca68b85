// Parses the header of a part of a multipart body, and the parameters of a header's value. What the specifications
// forbid is refused instead of being guessed, since a proxy may have read it otherwise.

import { isUtf8 } from 'node:buffer'
import { ValidationError } from '@plinth/kernel'

/** The header of a part. */
export interface PartHeader {
  readonly name: string
  /** The file name as it was sent, with its path if it has one; null for a field. */
  readonly filename: string | null
  /** The media type in lower case, without parameters; `application/octet-stream` if the part has none. */
  readonly mime: string
}

/** The error of a body that is not a multipart body. */
export function malformed(message: string): ValidationError {
  return new ValidationError(`Invalid multipart body: ${message}`)
}

/** The boundary that the header `content-type` names. Throws ValidationError if it names none. */
export function boundaryOf(contentType: string | undefined): string {
  const { value, parameters } = parseValue(contentType ?? '')
  if (value !== 'multipart/form-data') throw malformed('the content type is not multipart/form-data')
  const boundary = parameters.get('boundary')
  if (boundary === undefined || boundary === '') throw malformed('Boundary not found')
  if (!/^[\x20-\x7e]{1,200}$/.test(boundary)) throw malformed('the boundary has too many or invalid characters')
  return boundary
}

/** Parses the lines of a part's header. Throws ValidationError if they do not name the part or are malformed. */
export function parsePartHeader(bytes: Buffer): PartHeader {
  if (!isUtf8(bytes)) throw malformed('the header of a part is not UTF-8')
  const headers = linesOf(bytes.toString())
  const encoding = headers.get('content-transfer-encoding') ?? 'binary'
  if (!/^(7bit|8bit|binary)$/i.test(encoding)) throw malformed(`Content-Transfer-Encoding ${encoding} is not supported`)
  const { value, parameters } = parseValue(headers.get('content-disposition') ?? '')
  const name = parameters.get('name')
  if (value !== 'form-data' || name === undefined) throw malformed('a part has no name')
  const extended = parameters.get('filename*')
  const plain = parameters.get('filename')
  const filename = extended === undefined ? plain : decodeExtended(extended)
  return {
    name: unescapeBrowser(name),
    filename: filename === undefined ? null : extended === undefined ? unescapeBrowser(filename) : filename,
    mime: mimeOf(headers.get('content-type') ?? ''),
  }
}

function linesOf(text: string): ReadonlyMap<string, string> {
  const headers = new Map<string, string>()
  for (const line of text === '' ? [] : text.split('\r\n')) {
    const [all, word] = /^([!#$%&'*+.^_`|~\w-]+):/.exec(line) ?? []
    if (word === undefined || /[\r\n\0]/.test(line)) throw malformed('the header of a part is malformed')
    const name = word.toLowerCase()
    if (headers.has(name)) throw malformed(`a part has more than one ${word} header`)
    headers.set(name, line.slice(all!.length).trim())
  }
  return headers
}

function mimeOf(contentType: string): string {
  const { value } = parseValue(contentType)
  return /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/.test(value) ? value : 'application/octet-stream'
}

/** The beginning of a header's value in lower case, and its parameters by name in lower case. */
function parseValue(text: string): { readonly value: string; readonly parameters: ReadonlyMap<string, string> } {
  const end = text.indexOf(';')
  const value = (end === -1 ? text : text.slice(0, end)).trim().toLowerCase()
  const parameters = new Map<string, string>()
  const parameter = /;[ \t]*(?:([!#$%&'*+.^_`|~\w-]+)[ \t]*=[ \t]*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]*))[ \t]*)?(?=;|$)/gy
  parameter.lastIndex = end === -1 ? text.length : end
  while (parameter.lastIndex < text.length) {
    const [all, word, quoted, token] = parameter.exec(text) ?? []
    if (all === undefined) throw malformed('the parameters of a header are malformed')
    if (word === undefined) continue
    const name = word.toLowerCase()
    if (parameters.has(name)) throw malformed(`a header has the parameter ${word} more than once`)
    // Browsers do not escape backslashes, so only those that stand before a quote or a backslash are removed.
    parameters.set(name, quoted === undefined ? token! : quoted.replace(/\\(["\\])/g, '$1'))
  }
  return { value, parameters }
}

/** Browsers send quotes and line breaks in names as %22, %0D and %0A, and nothing else so (WHATWG). */
function unescapeBrowser(name: string): string {
  return name.replace(/%22/g, '"').replace(/%0D/gi, '\r').replace(/%0A/gi, '\n')
}

/** Decodes `UTF-8''a%20b.png` (RFC 5987), which some clients send for file names that are not ASCII. */
function decodeExtended(text: string): string {
  const [, encoded] = /^utf-8'[^']*'(.*)$/i.exec(text) ?? []
  try {
    if (encoded !== undefined) return decodeURIComponent(encoded)
  } catch {
    // Answered below.
  }
  throw malformed('the parameter filename* is not UTF-8')
}
