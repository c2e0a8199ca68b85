// What variables of the type `Upload` contain: a file in a temporary file, and the signal of the request that brought it.

import type { GraphqlFiles } from '@plinth/graphql'
import { type ReceivedFile, release } from '../intake.ts'
import type { UploadTools } from '../tools.ts'
import { whileWaiting } from '../waiting.ts'

/** The value of a variable. */
export class UploadedFile {
  readonly file: ReceivedFile
  readonly signal: AbortSignal

  constructor(file: ReceivedFile, signal: AbortSignal) {
    this.file = file
    this.signal = signal
  }
}

/** Takes the files of GraphQL requests. They are gone when the request is answered. */
export function graphqlFiles({ intake, timeLimit }: UploadTools): GraphqlFiles {
  return {
    during: (request, work) =>
      whileWaiting(request, timeLimit, async signal => {
        const received: ReceivedFile[] = []
        try {
          return await work(async sent => {
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
