// Knows which values of variables are files of a form. Only a scalar for files takes them: JSON must not store one, and no
// error shows what it consists of.

const received = new WeakSet<object>()

/** Marks a value as a file. */
export function markFile<T extends object>(file: T): T {
  received.add(file)
  return file
}

/** Returns whether a value is a file. */
export function isFile(value: unknown): boolean {
  return typeof value === 'object' && value !== null && received.has(value)
}

/** Returns whether a value is a file or contains one. */
export function containsFile(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  return received.has(value) || Object.values(value).some(containsFile)
}
