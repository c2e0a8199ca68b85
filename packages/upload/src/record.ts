// The records of files in v4's form (B-3.4, B-3.40), and the names of the stored files that they stand for. Data only.

import type { InspectedFile } from './intake.ts'
import { kilobytes, makeHash } from './names.ts'

/** The information that callers send about a file. */
export interface FileInfo {
  readonly name?: string
  readonly alternativeText?: string | null
  readonly caption?: string | null
  /** The id of the folder that the file is in; null for the root. Without it, a new file is in the root. */
  readonly folder?: number | null
}

/** One format of a picture, as records have it. */
export interface FormatRecord {
  readonly name: string
  readonly hash: string
  readonly ext: string
  readonly mime: string
  readonly path: null
  readonly width: number
  readonly height: number
  readonly size: number
  readonly sizeInBytes: number
  readonly url: string
}

/** The attributes of a record that follow from the content. */
export interface ContentRecord {
  readonly width: number | null
  readonly height: number | null
  readonly formats: Readonly<Record<string, FormatRecord>> | null
  readonly mime: string
  readonly size: number
}

/** A file that is to be stored: a key, and the temporary file with its content. */
export interface PlannedFile {
  readonly key: string
  readonly path: string
  readonly mime: string
  readonly size: number
}

/** The names under which a file and its formats are stored. */
export interface FileNames {
  /** As it is shown. */
  readonly name: string
  readonly hash: string
  readonly ext: string
}

/** The name, the hash and the extension of a new file (B-11.11). */
export function namesOf(file: InspectedFile, info: FileInfo): FileNames {
  const name = (info.name ?? file.filename).normalize()
  return { name, ext: file.ext, hash: makeHash(name, file.ext) }
}

/** Returns what is stored of a file under these names: the file first, then its formats. */
export function plannedFiles(file: InspectedFile, { hash, ext }: FileNames): PlannedFile[] {
  const { path, mime, size, picture } = file
  const formats = (picture?.formats ?? []).map(one => ({
    key: `${one.name}_${hash}${ext}`,
    path: `${picture!.folder}/${one.name}`,
    mime,
    size: one.size,
  }))
  return [{ key: `${hash}${ext}`, path, mime, size }, ...formats]
}

/** The part of a record that follows from the content. */
export function contentRecord(
  file: InspectedFile,
  { name, hash, ext }: FileNames,
  urlOf: (key: string) => string,
): ContentRecord {
  const { mime, picture } = file
  const formats = (picture?.formats ?? []).map(one => {
    const own = { name: `${one.name}_${name}`, hash: `${one.name}_${hash}`, ext, mime, path: null }
    const { width, height, size } = one
    const url = urlOf(`${one.name}_${hash}${ext}`)
    return [one.name, { ...own, width, height, size: kilobytes(size), sizeInBytes: size, url }] as const
  })
  return {
    width: picture?.width ?? null,
    height: picture?.height ?? null,
    formats: formats.length === 0 ? null : Object.fromEntries(formats),
    mime,
    size: kilobytes(file.size),
  }
}

/** The keys of a stored record: that of the file first, then those of its formats. */
export function keysOf(record: Readonly<Record<string, unknown>>): string[] {
  const keyOf = (one: Readonly<Record<string, unknown>>) => `${one.hash}${one.ext ?? ''}`
  const formats = record.formats ?? {}
  const entries = typeof formats === 'object' ? Object.values(formats as Record<string, unknown>) : []
  const formatEntries = entries.filter(one => typeof (one as { hash?: unknown } | null)?.hash === 'string')
  return [keyOf(record), ...formatEntries.map(one => keyOf(one as Record<string, unknown>))]
}
