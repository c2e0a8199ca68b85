// Loads the application's own module, src/index: `register`, `bootstrap`, `destroy`, as in v4 (B-10.50). Does not know what
// its functions receive.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { StartError } from '../errors.ts'
import { shown } from '../registration/checks.ts'
import { knownWords } from '../registration/registrar.ts'

/** The exports of src/index, which receive `Tools`. */
export interface EntryModule<Tools> {
  /** Called before the model is frozen and before the database is used. */
  readonly register?: (tools: Tools) => void | Promise<void>
  /** Called after the database is ready, before requests. */
  readonly bootstrap?: (tools: Tools) => void | Promise<void>
  readonly destroy?: (tools: Tools) => void | Promise<void>
}

const validKeys = ['register', 'bootstrap', 'destroy']

/** Loads src/index.{ts,js,mjs}; returns null if there is none. Throws StartError for unknown exports. */
export async function loadEntryModule<Tools>(dir: string): Promise<EntryModule<Tools> | null> {
  const path = ['ts', 'js', 'mjs'].map(extension => join(dir, `src/index.${extension}`)).find(existsSync)
  if (path === undefined) return null
  const module = (await import(pathToFileURL(path).href)) as { readonly default?: Readonly<Record<string, unknown>> }
  const exported: Readonly<Record<string, unknown>> = module.default ?? { ...module }
  for (const [key, value] of Object.entries(exported)) {
    if (!validKeys.includes(key))
      throw new StartError(
        'PLINTH_APP_INVALID',
        `src/index: the export ${key} is not known${knownWords(key, validKeys)}`,
      )
    if (value !== undefined && typeof value !== 'function')
      throw new StartError('PLINTH_APP_INVALID', `src/index: ${key} must be a function, found ${shown(value)}`)
  }
  return exported as EntryModule<Tools>
}
