// Decides the type of a file by its content. The name, and what the client says, choose among types that the content cannot
// distinguish: those of text, unless a browser would run them (security.md row 79). Knows no storage and no records.

import { extname } from 'node:path'
import { fileTypeFromBuffer, supportedMimeTypes } from '#file-type'
import { extension, lookup } from '#mime-types'
import { type Text, textOf } from './text.ts'

/** The number of bytes at the beginning that decide the type. */
export const headSize = 4100

/** A file as it was sent. */
export interface SentContent {
  /** The first bytes; all of them if the file is shorter than `headSize`. */
  readonly head: Buffer
  readonly filename: string
  /** The content type of the part. */
  readonly claimed: string
}

/** The type of a file, and its extension. */
export interface ContentKind {
  /** Such as `image/png`, without parameters. */
  readonly mime: string
  /** With a dot, such as `.png`; as the name of the file spells it (`.PNG`). */
  readonly ext: string
}

/** The type and the extension under which a file is stored. */
export async function decideType({ head, filename, claimed }: SentContent): Promise<ContentKind> {
  const kindOfName = namedKind(filename, claimed)
  const text = textOf(head, head.length >= headSize)
  const detected = await magicOf(head)
  if (
    detected !== null &&
    (text === null || isSameFamily(kindOfName.mime, detected.mime) || isStrong(detected, kindOfName))
  )
    return foundKind(kindOfName, detected)
  return text === null ? binaryKind(kindOfName) : textKind(kindOfName, text)
}

const unknown: ContentKind = { mime: 'application/octet-stream', ext: '.bin' }
const plain: ContentKind = { mime: 'text/plain', ext: '.txt' }

/** The type and the extension of a name: the type is null if nobody knows the extension. */
interface NamedKind {
  readonly mime: string | null
  readonly ext: string
}

/** Returns what the name says, or the content type of the part if the name has no extension (B-11.11). */
function namedKind(filename: string, claimed: string): NamedKind {
  const own = extname(filename)
  if (/^\.[a-z0-9]{1,16}$/i.test(own)) return { mime: lookup(own) || null, ext: own }
  const byClaim = extension(claimed)
  // Clients call `application/octet-stream` what they do not know.
  if (byClaim === false || byClaim === 'bin') return { mime: null, ext: plain.ext }
  const ext = `.${byClaim}`
  return { mime: lookup(ext) || null, ext }
}

/** The kind of a file with a known beginning. */
function foundKind(kindOfName: NamedKind, detected: ContentKind): ContentKind {
  return isSameFamily(kindOfName.mime, detected.mime) ? pick(kindOfName, detected) : detected
}

/** The kind of a file that is neither text nor of a known beginning. */
function binaryKind({ mime, ext }: NamedKind): ContentKind {
  // The type of the name would have been recognized.
  if (mime !== null && (isText(mime) || isDetectable(mime))) return unknown
  if (mime !== null) return { mime, ext }
  return ext === plain.ext ? unknown : { ...unknown, ext }
}

/** The kind of a text: what its name says. If that is a format that is not text, its markup decides. */
function textKind(kindOfName: NamedKind, { text, isUtf8, isClean }: Text): ContentKind {
  const { mime, ext } = kindOfName
  if (!isClean && (mime === null || !isQuiet(mime))) return binaryKind(kindOfName)
  if (mime === null) return { ...plain, ext }
  const isSvg = mime === svg.mime
  if (!isSvg && (isText(mime) || !isDetectable(mime))) return { mime, ext }
  if (!isUtf8 && !isSvg) return unknown
  const markup = markupOf(text)
  if (isSvg && markup !== null && markup.mime !== html.mime) return { mime, ext }
  return markup ?? plain
}

/** The extension of the name is kept. Of a container, such as zip, the name also says what it contains. */
function pick(kindOfName: NamedKind, detected: ContentKind): ContentKind {
  const isContained = familyOf(detected.mime) !== null
  return { mime: isContained ? (kindOfName.mime ?? detected.mime) : detected.mime, ext: kindOfName.ext }
}

async function magicOf(head: Buffer): Promise<ContentKind | null> {
  // Text that is XML is checked by its name, and by `markupOf`, which recognizes SVG.
  const detected = await fileTypeFromBuffer(head).catch(() => undefined)
  if (detected !== undefined && detected.mime !== 'application/xml')
    return { mime: detected.mime, ext: `.${detected.ext}` }
  // The library looks for the directory of a TIFF, which scanners write behind the pixels.
  return /^(II\*\0|MM\0\*)/.test(head.toString('latin1', 0, 4)) ? { mime: 'image/tiff', ext: '.tif' } : null
}

/** Formats of which two letters are the beginning. */
const weak = /^(image\/bmp|application\/x-msdownload)$/

/** Formats that may be text throughout, and that programs open by their beginning. */
const textual = /^application\/(pdf|rtf|postscript|eps)$/

/** Types whose beginning is that of a container. */
const families: Readonly<Record<string, RegExp>> = {
  'application/zip':
    /^application\/(zip|epub\+zip|java-archive|vnd\.(openxmlformats|oasis|ms-|android|apple|google-earth\.kmz).*)/,
  'application/x-cfb': /^application\/(msword|vnd\.ms-.*|x-msi)$/,
  // Raw photographs.
  'image/tiff': /^image\/x-/,
}

const familyOf = (mime: string) => families[mime] ?? null

function isSameFamily(mimeOfName: string | null, detected: string): boolean {
  if (mimeOfName === null) return false
  if (
    mimeOfName.replace('/x-', '/') === detected ||
    mimeOfName === detected ||
    familyOf(detected)?.test(mimeOfName) === true
  )
    return true
  if (extension(mimeOfName) !== false && extension(mimeOfName) === extension(detected)) return true
  // One container holds sound, moving pictures, or both: .m4a and .mp4, .ogg, .webm and .mkv.
  return /^(audio|video|application\/ogg)/.test(mimeOfName) && /^(audio|video|application\/ogg)/.test(detected)
}

const html: ContentKind = { mime: 'text/html', ext: '.html' }
const svg: ContentKind = { mime: 'image/svg+xml', ext: '.svg' }

/** Markup that browsers would run (security.md row 79). What begins with a tag of any kind is HTML. */
function markupOf(text: string): ContentKind | null {
  const start = text.replace(/^\uFEFF/, '').trimStart()
  if (!start.startsWith('<')) return null
  const isHtml = /<(!doctype\s+html|html|head|body|script|iframe)\b/i.test(start)
  if (/<svg\b/i.test(start) && !/<html\b/i.test(start)) return svg
  if (/^<\?xml\b/i.test(start) && !isHtml) return { mime: 'application/xml', ext: '.xml' }
  return isHtml || /^<[a-z!]/i.test(start) ? html : null
}

/** Text that browsers run. */
const run = /^(text\/html|application\/xhtml\+xml|image\/svg\+xml|(text|application)\/(x-)?(java|ecma)script)$/

/** Returns whether the beginning of a text says what it is. It may be chance: `BMW;320` begins like a bitmap. */
function isStrong({ mime }: ContentKind, kindOfName: NamedKind): boolean {
  return textual.test(mime) || (!isQuiet(kindOfName.mime) && !weak.test(mime))
}

/** Returns whether files of this name are text that no browser runs, or of a kind that nobody knows. */
function isQuiet(mime: string | null): boolean {
  return mime === null || (isText(mime) && !run.test(mime))
}

function isText(mime: string): boolean {
  // .ts is TypeScript more often than a transport stream, which would not be text.
  return /^(text\/|application\/(.*[+-])?(json|javascript|ecmascript|sql|toml|sh|tex|php|typescript|yaml|subrip|xml)$|video\/mp2t)/.test(
    mime,
  )
}

/** Returns whether the content of this type has a beginning that would have been found. */
function isDetectable(mime: string): boolean {
  return /^(image|audio|video|font)\//.test(mime) || supportedMimeTypes.has(mime as never)
}

/** The words of `allowedTypes` of a media attribute (B-10.15). */
export type MediaWord = 'images' | 'videos' | 'audios' | 'files'

/** The word for files of this type. */
export function mediaWordOf(mime: string): MediaWord {
  const top = mime.slice(0, mime.indexOf('/'))
  return top === 'image' ? 'images' : top === 'video' ? 'videos' : top === 'audio' ? 'audios' : 'files'
}

/** Returns whether a type is one of the patterns, such as `image/*` and `application/pdf`. */
export function isListed(mime: string, patterns: readonly string[]): boolean {
  return patterns.some(one => one === '*' || one === mime || (one.endsWith('/*') && mime.startsWith(one.slice(0, -1))))
}
