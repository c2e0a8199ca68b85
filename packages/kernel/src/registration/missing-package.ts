// Recognizes the errors of Node for packages that are not installed. Knows nothing of what needs them.

/** The name of an npm package in the messages of `import` and of `require`; paths are not packages. */
const absentPackage = /^Cannot find (?:package|module) '((?:@[\w.~-]+\/)?[\w~-][\w.~-]*)(?:\/[^']*)?'/

/** The package whose absence this error is about; null if it is about something else. */
export function missingPackage(error: unknown): string | null {
  const { code, message } = (error ?? {}) as { readonly code?: unknown; readonly message?: unknown }
  if (code !== 'ERR_MODULE_NOT_FOUND' && code !== 'MODULE_NOT_FOUND') return null
  return absentPackage.exec(String(message))?.[1] ?? null
}
