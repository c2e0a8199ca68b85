// Parses the information that a caller sends about files: names, alternative texts and captions. The messages are those of v4 (B-11.2). Knows neither
// forms nor GraphQL, in which it is said.

import { parseId, ValidationError } from '@plinth/kernel'
import { checkLength } from './names.ts'
import type { FileInfo } from './record.ts'

/** Returns what is said about one file. Unknown keys are dropped (B-11.2). Throws ValidationError. */
export function parseInfo(sent: unknown): FileInfo {
  if (sent === null || typeof sent !== 'object' || Array.isArray(sent))
    throw infoFault([], 'fileInfo must be an object')
  const info: { -readonly [Key in keyof FileInfo]: FileInfo[Key] } = {}
  for (const name of ['name', 'alternativeText', 'caption'] as const) {
    const value = (sent as Record<string, unknown>)[name]
    if (value === undefined || value === null) continue
    if (typeof value !== 'string') throw infoFault([name], `fileInfo.${name} must be a \`string\` type`)
    checkLength(value, `fileInfo.${name}`)
    // An empty name does not count as a name.
    if (name !== 'name' || value.trim() !== '') info[name] = value
  }
  const folder = parseFolder((sent as Record<string, unknown>).folder)
  return folder === undefined ? info : { ...info, folder }
}

/** Returns the id of a folder, null for the root, and undefined if none is named. Throws ValidationError. */
function parseFolder(value: unknown): number | null | undefined {
  if (value === undefined || value === null) return value
  const id = typeof value === 'number' ? value : parseId(value)
  if (id === null || !Number.isSafeInteger(id) || id < 1)
    throw infoFault(['folder'], 'fileInfo.folder must be the id of a folder, or null')
  return id
}

/** The error for what is said about files. */
export function infoFault(path: readonly string[], message: string): ValidationError {
  return ValidationError.ofFields([{ path: ['fileInfo', ...path], message, name: 'ValidationError' }])
}

/** Returns what was said about each of the files. Throws ValidationError if it was said about more or fewer. */
export function infosFor(count: number, infos: readonly FileInfo[] | null): readonly FileInfo[] {
  if (infos === null) return Array.from({ length: count }, () => ({}))
  if (infos.length === count) return infos
  throw infoFault([], `fileInfo has ${infos.length} items for ${count} files`)
}
