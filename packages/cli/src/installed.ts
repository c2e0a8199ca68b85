// Checks whether packages that an application may leave out are installed. Loads none of them.

/** Returns whether a package, or one of its entry points, can be imported. */
export function isInstalled(specifier: string): boolean {
  try {
    import.meta.resolve(specifier)
    return true
  } catch {
    return false
  }
}
