// Decides the type of a file by its content. The name and what the client says only choose among types that the content
// cannot distinguish (security.md row 79). Knows no storage and no records.

import { isUtf8 } from 'node:buffer'
import { extname } from 'node:path'
import { fileTypeFromBuffer, supportedMimeTypes } from 'file-type'
import { extension, lookup } from 'mime-types'

/** So many bytes of the beginning decide the type. */
export const headSize = 4100

/** A file as it was sent. */
export interface SentContent {
  /** The first bytes; all of them if the file is shorter than `headSize`. */
  readonly head: Buffer
  readonly filename: string
  /** The content type of the part. */
  readonly claimed: string
}

/** What a file is. */
export interface ContentKind {
  /** Such as `image/png`, without parameters. */
  readonly mime: string
  /** With a dot, in lower case, such as `.png`. */
  readonly ext: string
}

/** The type and the extension under which a file is stored. */
export async function decideType({ head, filename, claimed }: SentContent): Promise<ContentKind> {
  const named = namedKind(filename, claimed)
  const found = await magicOf(head)
  if (found !== null) return isSameFamily(named.mime, found.mime) ? pick(named, found) : found
  const text = textOf(head)
  if (text === null) return isDetectable(named.mime) ? unknown : (known(named) ?? unknown)
  if (isPassiveText(named.mime)) return known(named)!
  const markup = markupOf(text)
  if (markup !== null) return isSameMarkup(named.mime, markup.mime) ? known(named)! : markup
  return isDetectable(named.mime) && !isText(named.mime) ? plain : (known(named) ?? { ...plain, ext: named.ext })
}

const unknown: ContentKind = { mime: 'application/octet-stream', ext: '.bin' }
const plain: ContentKind = { mime: 'text/plain', ext: '.txt' }

/** What the name says, or the content type of the part if the name has no extension (B-11.11). */
function namedKind(filename: string, claimed: string): { readonly mime: string | null; readonly ext: string } {
  const own = extname(filename).toLowerCase()
  const safe = /^\.[a-z0-9]{1,16}$/.test(own) ? own : ''
  const byClaim = extension(claimed)
  const ext = safe !== '' ? safe : byClaim === false ? plain.ext : `.${byClaim}`
  const mime = lookup(ext)
  return { mime: mime === false ? null : mime, ext }
}

function known({ mime, ext }: { readonly mime: string | null; readonly ext: string }): ContentKind | null {
  return mime === null ? null : { mime, ext }
}

/** The extension of the name is kept. Of a container, such as zip, the name also says what it contains. */
function pick(named: { readonly mime: string | null; readonly ext: string }, found: ContentKind): ContentKind {
  const isContained = familyOf(found.mime) !== null
  return { mime: isContained ? (named.mime ?? found.mime) : found.mime, ext: named.ext }
}

async function magicOf(head: Buffer): Promise<ContentKind | null> {
  // Text that is XML is judged by `markupOf`, which recognizes SVG.
  const found = await fileTypeFromBuffer(head).catch(() => undefined)
  if (found === undefined || found.mime === 'application/xml') return null
  return { mime: found.mime, ext: `.${found.ext}` }
}

/** Types whose beginning is that of a container. */
const families: Readonly<Record<string, RegExp>> = {
  'application/zip':
    /^application\/(zip|epub\+zip|java-archive|vnd\.(openxmlformats|oasis|ms-|android|apple|google-earth\.kmz).*)/,
  'application/x-cfb': /^application\/(msword|vnd\.ms-.*|x-msi)$/,
}

const familyOf = (mime: string) => families[mime] ?? null

function isSameFamily(named: string | null, found: string): boolean {
  if (named === null) return false
  if (named === found || familyOf(found)?.test(named) === true) return true
  if (extension(named) !== false && extension(named) === extension(found)) return true
  // One container holds sound, moving pictures, or both: .m4a and .mp4, .ogg, .webm and .mkv.
  return /^(audio|video|application\/ogg)/.test(named) && /^(audio|video|application\/ogg)/.test(found)
}

/** The text of the beginning, or null if it is not text. */
function textOf(head: Buffer): string | null {
  // The last character may have been cut.
  for (let cut = 0; cut < 4; cut++) {
    const part = head.subarray(0, head.length - (head.length < headSize ? 0 : cut))
    if (!isUtf8(part)) continue
    const text = part.toString()
    return /[\x00-\x08\x0e-\x1a\x1c-\x1f]/.test(text) ? null : text
  }
  return null
}

/** Markup that browsers would run (security.md row 79). What begins with a tag of any kind is HTML. */
function markupOf(text: string): ContentKind | null {
  const start = text.replace(/^\uFEFF/, '').trimStart()
  if (!start.startsWith('<')) return null
  const isHtml = /<(!doctype\s+html|html|head|body|script|iframe)\b/i.test(start)
  if (/<svg\b/i.test(start) && !/<html\b/i.test(start)) return { mime: 'image/svg+xml', ext: '.svg' }
  if (/^<\?xml\b/i.test(start) && !isHtml) return { mime: 'application/xml', ext: '.xml' }
  return isHtml || /^<[a-z!]/i.test(start) ? { mime: 'text/html', ext: '.html' } : null
}

/** Names of other types that are XML, such as feeds, stay. */
function isSameMarkup(named: string | null, found: string): boolean {
  return named === found || (found === 'application/xml' && named !== null && /[/+]xml$/.test(named))
}

/** Text that no browser runs when it is sent with `nosniff`, whatever it contains. */
function isPassiveText(mime: string | null): boolean {
  return (
    mime !== null && /^(text\/(plain|markdown|csv|tab-separated-values|yaml|calendar)|application\/json)$/.test(mime)
  )
}

function isText(mime: string | null): boolean {
  if (mime === null) return false
  // .ts is TypeScript more often than a transport stream, which would not be text.
  return /^(text\/|application\/(json|javascript|.*\+json|sql|toml|x-sh|x-tex|x-httpd-php|typescript|yaml)|video\/mp2t)/.test(
    mime,
  )
}

/** Whether the content of this type has a beginning that would have been found. */
function isDetectable(mime: string | null): boolean {
  if (mime === null) return false
  return /^(image|audio|video|text|font)\//.test(mime) || supportedMimeTypes.has(mime as never)
}

/** The words of `allowedTypes` of a media attribute (B-10.15). */
export type MediaWord = 'images' | 'videos' | 'audios' | 'files'

/** The word for files of this type. */
export function mediaWordOf(mime: string): MediaWord {
  const top = mime.slice(0, mime.indexOf('/'))
  return top === 'image' ? 'images' : top === 'video' ? 'videos' : top === 'audio' ? 'audios' : 'files'
}

/** Whether a type is one of the patterns, such as `image/*` and `application/pdf`. */
export function isListed(mime: string, patterns: readonly string[]): boolean {
  return patterns.some(one => one === '*' || one === mime || (one.endsWith('/*') && mime.startsWith(one.slice(0, -1))))
}
