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

/** The path of the input that has a value: an index at the end is within it, as that of a block is. */
export const inputPathOf = (path: string): string => path.replace(/(?:\.\d+)+$/, '')

/** The sentences in the form's tree of faults, by the path below it. */
export function faultsBelow(tree: unknown, path = ''): ReadonlyMap<string, string> {
  const faults = new Map<string, string>()
  if (typeof tree !== 'object' || tree === null) return faults
  const { message } = tree as { readonly message?: unknown }
  if (typeof message === 'string') faults.set(path, message)
  for (const [name, inner] of Object.entries(tree))
    if (name !== 'ref') for (const one of faultsBelow(inner, path === '' ? name : `${path}.${name}`)) faults.set(...one)
  return faults
}
