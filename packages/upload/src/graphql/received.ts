// The values of variables of the type `Upload`: a file in a temporary file, and the signal of the request that brought
// it.

import type { GraphqlFiles } from '@plinth/graphql'
import { ForbiddenError, ValidationError } from '@plinth/kernel'
import { type ReceivedFile, release } from '../intake.ts'
import type { UploadTools } from '../tools.ts'
import { fileActions } from '../types.ts'
import { withUploadSignal } from '../upload-signal.ts'

/** The value of a variable. */
export class UploadedFile {
  readonly #file: ReceivedFile | null
  #isTaken = false
  readonly signal: AbortSignal

  /** `file` is null if the caller may not upload: its content was not kept. */
  constructor(file: ReceivedFile | null, signal: AbortSignal) {
    this.#file = file
    this.signal = signal
  }

  /**
   * The file, to be stored. Throws ForbiddenError if the caller may not upload, and ValidationError if it was taken
   * before: a form may name many places for one file, and storing moves its content.
   */
  take(): ReceivedFile {
    if (this.#file === null) throw new ForbiddenError()
    if (this.#isTaken)
      throw new ValidationError(`The file ${this.#file.filename} stands in more than one place; send it once for each`)
    this.#isTaken = true
    return this.#file
  }

  /** Returns what errors show of it, where a form puts a file in the place of another value. */
  toJSON(): string {
    return 'a file'
  }
}

/**
 * Takes the files of GraphQL requests. They are gone when the request is answered. The rights to the fields of an
 * operation are checked when it runs, behind its files, so those of callers who may not upload are skipped: they fill no
 * disk.
 */
export function graphqlFiles({ intake, timeLimit }: UploadTools): GraphqlFiles {
  return {
    during: (request, { access }, work) =>
      withUploadSignal(request, timeLimit, async signal => {
        const received: ReceivedFile[] = []
        const mayUpload = access.can(fileActions.create)
        try {
          return await work(async sent => {
            if (!mayUpload) return new UploadedFile(null, signal)
            const file = await intake.receive(sent, signal)
            received.push(file)
            return new UploadedFile(file, signal)
          }, signal)
        } finally {
          for (const file of received) await release(file)
        }
      }),
  }
}
