// What the operating system says of a server that is gone or was never there.

export const lostBySystem = ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOENT', 'EHOSTUNREACH'] as const

/** What errors of drivers have in common, as far as they have it. */
export interface DriverError {
  readonly code?: unknown
  readonly errno?: unknown
  readonly message?: unknown
}

/** The fields of something that was thrown. */
export function fieldsOf<Fields extends DriverError>(error: unknown): Partial<Fields> {
  return (error ?? {}) as Partial<Fields>
}
