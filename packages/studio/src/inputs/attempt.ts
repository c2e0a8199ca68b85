// Reads a value that may not have the form that is expected of it.

/** Returns the result of the function; null if it throws. */
export function attempt<Value>(read: () => Value): Value | null {
  try {
    return read()
  } catch {
    return null
  }
}
