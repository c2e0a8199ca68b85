// Reads what the API says of a refused write: which value of the entry each sentence is about.

/** A sentence of the server about one value of an entry. */
export interface Fault {
  /** The names and indexes that lead to the value, with dots between them: `sections.0.heading`. */
  readonly path: string
  readonly message: string
}

/** The faults in `details` of an error of the API. */
export function faultsIn(details: unknown): readonly Fault[] {
  const { errors } = (details ?? {}) as { readonly errors?: unknown }
  if (!Array.isArray(errors)) return []
  return errors.flatMap(one => {
    const { path, message } = (one ?? {}) as { readonly path?: unknown; readonly message?: unknown }
    if (!Array.isArray(path) || typeof message !== 'string') return []
    return [{ path: joined(path), message }]
  })
}

/** `['sections[0]', 'heading']` and `['sections', '0', 'heading']` mean the same. */
const joined = (path: readonly unknown[]): string =>
  path
    .map(String)
    .join('.')
    .replace(/\[(\d+)\]/g, '.$1')
