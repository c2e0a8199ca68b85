// The files of multipart bodies (B-4.80): a plugin that stores files takes them, by the service `rest.files`. Only types
// are here; the transport knows no such plugin.

import type { ContentType, Context } from '@plinth/kernel'
import type { MultipartPart } from '@plinth/server/transport'

/** A file of a multipart body. */
export type FilePart = Extract<MultipartPart, { readonly kind: 'file' }>

/** A write whose body is multipart. The right to it was checked, and its entry exists. */
export interface FileWrite {
  readonly type: ContentType
  readonly action: 'create' | 'update'
  readonly context: Context
}

/** Stores the files of entries. A plugin provides it as `kernel.services.provide('rest', 'files', taker)`. */
export interface FileTaker {
  /** Begins to take the files of one write. */
  open(write: FileWrite): FileBatch
}

/** The files of one write. */
export interface FileBatch {
  /**
   * Stores one file; `path` is what stands behind `files.`, as it was sent: names and places in lists, such as
   * `sections[0].image` or `sections.0.image`. Several files may have the same path. Throws PlinthError for a path that is
   * not a media attribute.
   */
  take(path: string, part: FilePart): Promise<void>
  /**
   * Runs `write` with data in which the stored files stand at their paths; records of files and the entry are one
   * transaction.
   */
  write<T>(data: Record<string, unknown>, write: (data: Record<string, unknown>) => Promise<T>): Promise<T>
  /** Removes what was stored and not written. Always called at the end. */
  close(): Promise<void>
}

declare module '@plinth/kernel' {
  interface Services {
    'rest.files': FileTaker
  }
}
