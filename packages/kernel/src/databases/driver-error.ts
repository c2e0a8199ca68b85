// Reads the fields of the errors that drivers throw. Knows no driver.

/** The fields that errors of drivers have in common, if present. */
export interface DriverError {
  readonly code?: unknown
  readonly errno?: unknown
  readonly message?: unknown
}

/** The fields of a thrown value. */
export function fieldsOf<Fields extends DriverError>(error: unknown): Partial<Fields> {
  return (error ?? {}) as Partial<Fields>
}
