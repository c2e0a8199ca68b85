// What variables of the type `Upload` contain: a file in a temporary file, and the signal of the request that brought it.

import type { GraphqlFiles } from '@plinth/graphql'
import { type ReceivedFile, release } from '../intake.ts'
import type { UploadTools } from '../tools.ts'
import { fileActions } from '../types.ts'
import { whileWaiting } from '../waiting.ts'

/** The value of a variable. */
export class UploadedFile {
  /** Null if the caller may not upload: its content was not kept. */
  readonly file: ReceivedFile | null
  readonly signal: AbortSignal

  constructor(file: ReceivedFile | null, signal: AbortSignal) {
    this.file = file
    this.signal = signal
  }
}

/**
 * Takes the files of GraphQL requests. They are gone when the request is answered. The rights to the fields of an operation
 * are judged when it runs, behind its files, so those of callers who may not upload are skipped: they fill no disk.
 */
export function graphqlFiles({ intake, timeLimit }: UploadTools): GraphqlFiles {
  return {
    during: (request, { access }, work) =>
      whileWaiting(request, timeLimit, async signal => {
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
