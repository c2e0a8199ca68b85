// Loads the application's own module, src/index: `register`, `bootstrap`, `destroy`, as in v4 (B-10.50).

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { StartError } from '../errors.ts'
import type { PluginHost, WholeServer } from '../hooks/plugin-host.ts'
import type { Kernel } from './kernel.ts'
import { shown } from '../registration/checks.ts'
import { knownWords } from '../registration/registrar.ts'

/** The argument of the functions of src/index. */
export interface AppTools {
  readonly kernel: Kernel
  /** The scope of Plinth's routes; null without a server. */
  readonly app: PluginHost | null
  /** Null if the server also has other routes, and without a server. */
  readonly server: WholeServer | null
}

/** The exports of src/index. */
export interface AppModule {
  /** Called before the model is frozen and before the database is used. */
  readonly register?: (tools: AppTools) => void | Promise<void>
  /** Called after the database is ready, before requests. */
  readonly bootstrap?: (tools: AppTools) => void | Promise<void>
  readonly destroy?: (tools: AppTools) => void | Promise<void>
}

const known = ['register', 'bootstrap', 'destroy']

/** Loads src/index.{ts,js}; returns null if there is none. Throws StartError for unknown exports. */
export async function loadApp(dir: string): Promise<AppModule | null> {
  const path = ['ts', 'js', 'mjs'].map(extension => join(dir, `src/index.${extension}`)).find(existsSync)
  if (path === undefined) return null
  const module = (await import(pathToFileURL(path).href)) as AppModule & { default?: AppModule }
  const given = module.default ?? { ...module }
  for (const key of Object.keys(given)) {
    if (!known.includes(key))
      throw new StartError('PLINTH_APP_INVALID', `src/index: the export ${key} is not known${knownWords(key, known)}`)
    const value = given[key as keyof AppModule] as unknown
    if (value !== undefined && typeof value !== 'function')
      throw new StartError('PLINTH_APP_INVALID', `src/index: ${key} must be a function, found ${shown(value)}`)
  }
  return given
}
