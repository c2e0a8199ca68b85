// Takes one file from a caller: checks its name, takes it whole into a temporary file, finds out what it is, and makes its
// formats. Nothing of it is stored before all this has gone well.

import { rm } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { PlinthError, ValidationError } from '@plinth/kernel'
import { type ContentKind, decideType, isListed } from './content-type.ts'
import { checkFilename, readableSize } from './names.ts'
import { formatsOf, type Picture, type Pictures } from './pictures/pictures.ts'
import type { Spool } from './spool.ts'

/** A file as a transport hands it over. */
export interface SentFile {
  readonly filename: string
  /** The content type that the client gives. */
  readonly mime: string
  readonly stream: Readable
}

/** A file in a temporary file. */
export interface ReceivedFile extends ContentKind {
  /** As it was sent. */
  readonly filename: string
  /** In bytes. */
  readonly size: number
  readonly path: string
}

/** A file whose content is known, with its formats in temporary files. */
export interface InspectedFile extends ReceivedFile {
  /** Null for other files. */
  readonly picture: Picture | null
}

export interface IntakeSettings {
  /** The maximum number of bytes of a file. */
  readonly sizeLimit: number
  /** Patterns of types; without a list, all are allowed. */
  readonly allowedTypes: readonly string[] | null
  readonly deniedTypes: readonly string[]
}

export class Intake {
  readonly #settings: IntakeSettings
  readonly #spool: Spool
  readonly #pictures: Pictures

  constructor(settings: IntakeSettings, spool: Spool, pictures: Pictures) {
    this.#settings = settings
    this.#spool = spool
    this.#pictures = pictures
  }

  /**
   * Receives a file. Throws ApplicationError for its name, PlinthError 413 for its size, ValidationError for its type, and
   * the reason of a signal that aborts; nothing is left then.
   */
  async receive({ filename, mime: claimed, stream }: SentFile, signal: AbortSignal): Promise<ReceivedFile> {
    const { sizeLimit } = this.#settings
    checkFilename(filename)
    const tooLarge = () => exceeds(filename, sizeLimit)
    const { path, size, head } = await this.#spool.take(stream, { limit: sizeLimit, tooLarge, signal })
    try {
      const kind = await decideType({ head, filename, claimed })
      this.#requireAllowed(kind.mime)
      return { ...kind, filename, path, size }
    } catch (error) {
      await rm(path, { force: true })
      throw error
    }
  }

  /**
   * Inspects a received file. Call it after the whole body was read: until then a closed connection is not detected.
   * Throws what `Pictures.look` throws.
   */
  async inspect(file: ReceivedFile, signal: AbortSignal): Promise<InspectedFile> {
    return { ...file, picture: await this.#pictures.look(file, signal) }
  }

  #requireAllowed(mime: string): void {
    const { allowedTypes, deniedTypes } = this.#settings
    if (isListed(mime, deniedTypes) || (allowedTypes !== null && !isListed(mime, allowedTypes)))
      throw new ValidationError(`Files of the type ${mime} are not allowed`)
  }
}

/** Removes the temporary files of a file, also those that a failed look has left. */
export async function release({ path }: ReceivedFile): Promise<void> {
  await rm(path, { force: true })
  await rm(formatsOf(path), { recursive: true, force: true })
}

/** The error of a file that is too large, in v4's words (B-11.14). */
function exceeds(filename: string, limit: number): PlinthError {
  const message = `${filename} exceeds size limit of ${readableSize(limit)}.`
  return new PlinthError(413, 'PayloadTooLargeError', message)
}
