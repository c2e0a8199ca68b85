// The error of an archive that cannot be written, read or brought into an application. Its message says what is wrong, where,
// and what helps, so that no stack is needed.

import type { ErrorCode } from '@plinth/kernel'

declare module '@plinth/kernel' {
  interface ErrorCodes {
    /** An archive cannot be written or read, or does not fit the application. The message says what, where, and what helps. */
    PLINTH_TRANSFER: true
  }
}

/** An archive cannot be written, read or brought into an application. */
export class TransferError extends Error {
  readonly code: ErrorCode = 'PLINTH_TRANSFER'
  override readonly name = 'TransferError'
}
