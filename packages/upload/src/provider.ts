// Declares what stores the bytes of files: the local disk, or a package that others write. A provider knows neither records
// nor requests; it receives keys that the plugin has made.

import type { Readable } from 'node:stream'

/** A file that is to be stored. */
export interface StoredFile {
  /** The name of the file, such as `lamp_62ad47dd70.png`: letters, digits, `_`, `-` and `.`, without a folder. */
  readonly key: string
  /** The type that was found in the content, such as `image/png`. */
  readonly mime: string
  /** The content. It is destroyed with an error if it turns out to be too large, or if the client goes away. */
  readonly stream: Readable
  /** The size in bytes; null if it is not known before the end of the stream. */
  readonly size: number | null
  /**
   * True if the key belongs to a record, whose earlier file must be readable until this one is there whole: when it
   * cannot be stored, the earlier file stays, and the plugin stores it again.
   */
  readonly replaces?: boolean
}

/**
 * Stores files. Its functions may run at the same time, also for one key in two processes, and reject with an error if
 * the storage does not answer.
 */
export interface UploadProvider {
  /**
   * Stores the stream under `key`, in place of an earlier file of that key. Resolves when it is durable. When the stream
   * fails or `signal` aborts, it rejects within a second and leaves nothing that `remove(key)` would not clean.
   */
  store(file: StoredFile, signal: AbortSignal): Promise<void>
  /** Removes it; a missing one is not an error. */
  remove(key: string): Promise<void>
  /** The URL that records get for `key`: absolute, or a path on this server. */
  urlOf(key: string): string
  /**
   * The origins of its URLs, such as `https://media.example.com`, for pages that may load files from nowhere else. None are
   * needed for paths on this server.
   */
  readonly origins?: readonly string[]
  /**
   * Reads it, for exports and for making formats. If there is none, it rejects with an error whose `code` is `ENOENT`, as
   * those of the file system are.
   */
  open(key: string): Promise<Readable>
}

/** The default export of a provider's module, in the form that v4 gives to its providers. */
export interface UploadProviderModule {
  /** Makes the provider of `providerOptions` in the settings. Rejects if they are wrong: the start fails with its message. */
  init(providerOptions: Readonly<Record<string, unknown>>): UploadProvider | Promise<UploadProvider>
}
