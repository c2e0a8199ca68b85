// The files of the media library: their kinds, the kinds that an attribute accepts, and their pictures.

import type { Parameter } from './query-string.ts'

/** A file of the media library. */
export interface MediaFile {
  readonly id: number
  readonly name: string
  readonly alternativeText: string | null
  readonly caption: string | null
  readonly width: number | null
  readonly height: number | null
  readonly formats: Readonly<Record<string, { readonly url: string }>> | null
  readonly ext: string | null
  readonly mime: string
  /** In kilobytes, of 1000 bytes each. */
  readonly size: number
  readonly url: string
  readonly createdAt?: string
  readonly updatedAt?: string
}

/** The texts of a file, and its folder. Missing members stay unchanged. */
export interface FileTexts {
  readonly name?: string
  readonly alternativeText?: string
  readonly caption?: string
  /** The id of the folder; null for the root. */
  readonly folder?: number | null
}

export type FileKind = 'image' | 'video' | 'audio' | 'file'

/** All kinds, in the order in which they are offered. */
export const fileKinds: readonly FileKind[] = ['image', 'video', 'audio', 'file']

const namedKinds: readonly FileKind[] = ['image', 'video', 'audio']

export const kindOf = ({ mime }: Pick<MediaFile, 'mime'>): FileKind =>
  namedKinds.find(kind => mime.startsWith(`${kind}/`)) ?? 'file'

/** The kinds that a media attribute takes: those of `allowedTypes`, or all. */
export function kindsTaken(options: Readonly<Record<string, unknown>>): readonly FileKind[] {
  const { allowedTypes } = options
  if (!Array.isArray(allowedTypes) || allowedTypes.length === 0) return fileKinds
  return fileKinds.filter(kind => allowedTypes.includes(`${kind}s`))
}

/** The filter for files of these kinds; none for all. */
export function kindsFilter(kinds: readonly FileKind[]): Parameter {
  if (fileKinds.every(kind => kinds.includes(kind))) return undefined
  const starts = (kind: FileKind) => ({ mime: { $startsWith: `${kind}/` } })
  const chosen: Parameter[] = kinds.filter(kind => kind !== 'file').map(starts)
  if (kinds.includes('file')) chosen.push({ $not: { $or: namedKinds.map(starts) } })
  return chosen.length === 1 ? chosen[0] : { $or: chosen }
}

/** Returns the media types that the file dialog of the browser offers for these kinds; none for all. */
export const acceptedTypes = (kinds: readonly FileKind[]): readonly string[] =>
  kinds.includes('file') ? [] : kinds.map(kind => `${kind}/*`)

/** The address of a small picture of the file; null if there is none, or none that is safe to load. */
export function pictureOf(file: MediaFile): string | null {
  if (kindOf(file) !== 'image') return null
  return pictureAddress(file.formats?.thumbnail?.url ?? file.url, file)
}

/** The address of a picture that is large enough for a preview. */
export function previewOf(file: MediaFile): string | null {
  if (kindOf(file) !== 'image') return null
  const { medium, small, large } = file.formats ?? {}
  return pictureAddress((medium ?? small ?? large)?.url ?? file.url, file)
}

/** A file that was replaced keeps its address, under which the browser may have the picture of before. */
function pictureAddress(url: string, { updatedAt }: MediaFile): string | null {
  const address = safeAddress(url)
  // Parameters of others may be signed.
  if (address === null || updatedAt === undefined || address.includes('?')) return address
  return `${address}?updated=${Date.parse(updatedAt)}`
}

/** The address, if it is one of HTTP; null for one that could run a script. */
export function safeAddress(address: string): string | null {
  // Browsers read a backslash as a slash, and two of them lead to another server.
  if (/^\/(?![/\\])/.test(address)) return address
  return /^https?:\/\//i.test(address) ? address : null
}

/** The number and the unit of a size, for the formats of a language. */
export function sizeParts(kilobytes: number): { readonly value: number; readonly unit: 'kilobyte' | 'megabyte' } {
  return kilobytes < 1000 ? { value: kilobytes, unit: 'kilobyte' } : { value: kilobytes / 1000, unit: 'megabyte' }
}
