// The errors of the API.

import { type Fault, faultsIn } from '../model/faults.ts'

interface Parts {
  /** The status of the answer; 0 if there was none. */
  readonly status: number
  readonly name: string
  readonly message: string
  readonly details: unknown
  /** The number of seconds to wait; null if the answer has none. */
  readonly retryAfter: number | null
}

/** An answer that is not a success. Its message is the sentence of the server. */
export class ApiError extends Error implements Parts {
  readonly status: number
  readonly details: unknown
  readonly retryAfter: number | null

  constructor({ status, name, message, details, retryAfter }: Parts) {
    super(message)
    this.status = status
    this.name = name
    this.details = details
    this.retryAfter = retryAfter
  }

  static of(status: number, body: unknown, headers: Headers): ApiError {
    const { error } = (body ?? {}) as { readonly error?: Partial<Parts> }
    const seconds = Number(headers.get('retry-after'))
    return new ApiError({
      status,
      name: error?.name ?? 'Error',
      message: error?.message ?? '',
      details: error?.details ?? null,
      retryAfter: seconds > 0 ? seconds : null,
    })
  }

  /** The faults of single values of an entry. */
  get faults(): readonly Fault[] {
    return faultsIn(this.details)
  }
}

export const isApiError = (error: unknown): error is ApiError => error instanceof ApiError
