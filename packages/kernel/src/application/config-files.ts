// Loads the configuration files of an application: `config/<name>.{ts,js,json}`, merged with those of
// `config/env/<NODE_ENV>`, which take precedence.

import { existsSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseEnv } from 'node:util'
import { StartError } from '../errors.ts'
import { isRecord } from '../record.ts'
import { configExtensions } from './config-names.ts'
import { type Env, env } from './env.ts'
import { checkEnvLines } from './env-lines.ts'

/** The export of a configuration file: the settings, or a function that returns them. */
export type ConfigFile<T> = T | ((tools: { readonly env: Env }) => T | Promise<T>)

/**
 * Loads the settings of `config/<name>`; {} if there is no such file. Loads `.env` (or ENV_PATH) once, and sets NODE_ENV to
 * `development` if neither names it, so that files may compare it (B-10.47).
 */
export async function loadConfig(dir: string, name: string): Promise<Record<string, unknown>> {
  loadEnv(dir)
  const mode = configMode()
  process.env.NODE_ENV = mode
  const base = await readFileConfig(join(dir, 'config'), name)
  return merge(base, await readFileConfig(join(dir, 'config/env', mode), name))
}

/** Returns the name of the folder in `config/env` whose files take precedence. */
export const configMode = () => process.env.NODE_ENV || 'development'

const loaded = new Set<string>()

function loadEnv(dir: string): void {
  const path = process.env.ENV_PATH ?? join(dir, '.env')
  if (loaded.has(path)) return
  if (existsSync(path)) {
    // Windows editors begin a file with a mark, which would become part of the first name.
    const text = readFileSync(path, 'utf8').replace(/^\uFEFF/, '')
    checkEnvLines(path, text)
    for (const [variable, value] of Object.entries(parseEnv(text))) process.env[variable] ??= value
  }
  loaded.add(path)
}

async function readFileConfig(folder: string, name: string): Promise<Record<string, unknown>> {
  for (const extension of configExtensions) {
    const path = join(folder, `${name}.${extension}`)
    if (!existsSync(path)) continue
    if (extension === 'json') return settingsOf(path, parseJson(path, await readFile(path, 'utf8')))
    const module = await importConfig(path)
    if (module.default === undefined) checkExports(path, name, Object.keys(module))
    const exported = module.default ?? (module as Record<string, unknown>)
    if (typeof exported !== 'function') return settingsOf(path, exported)
    const returned: unknown = await blamingFile(path, () => exported({ env }))
    // An arrow function with braces around its settings has a body without a return.
    if (returned !== undefined) return settingsOf(path, returned)
    throw new StartError(
      'PLINTH_CONFIG_INVALID',
      `${path}: its function returns nothing; write "({ … })" instead of "{ … }" after "=>", or "return"`,
    )
  }
  return {}
}

/** Returns the settings of a file; null stands for none. */
function settingsOf(path: string, content: unknown): Record<string, unknown> {
  if (content === null) return {}
  if (isRecord(content)) return content
  throw new StartError('PLINTH_CONFIG_INVALID', `${path}: must be an object of settings`)
}

async function importConfig(path: string): Promise<{ readonly default?: ConfigFile<Record<string, unknown>> }> {
  try {
    return await import(pathToFileURL(path).href)
  } catch (error) {
    if (!/\b(?:module|exports) is not defined in ES module scope/.test(String((error as Error)?.message)))
      throw faultOf(path, error)
    throw new StartError(
      'PLINTH_CONFIG_INVALID',
      `${path}: is an ES module, because package.json says "type": "module"; write "export default" instead of "module.exports"`,
    )
  }
}

/** Runs code of a file of the configuration, and names the file in what it throws. */
async function blamingFile<T>(path: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw faultOf(path, error)
  }
}

/** Returns the error of a file with its path and, where the stack has it, the line. */
function faultOf(path: string, error: unknown): StartError {
  if (error instanceof StartError) return error
  const { message = String(error), stack = '' } = error instanceof Error ? error : {}
  const at = stack.indexOf(`${path}:`)
  const line = at === -1 ? null : (/^\d+/.exec(stack.slice(at + path.length + 1))?.[0] ?? null)
  return new StartError('PLINTH_CONFIG_INVALID', `${path}${line === null ? '' : `:${line}`}: ${message}`, {
    cause: error,
  })
}

/** Settings may be named exports. Throws StartError if all of them are in one export that is not the default one. */
function checkExports(path: string, name: string, exported: readonly string[]): void {
  const whole = exported.find(key => key === name || key === 'config')
  if (whole === undefined) return
  throw new StartError(
    'PLINTH_CONFIG_INVALID',
    `${path}: has no default export; write "export default" instead of "export const ${whole}"`,
  )
}

function parseJson(path: string, text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (error) {
    throw new StartError('PLINTH_CONFIG_INVALID', `${path}: is not valid JSON: ${(error as Error).message}`)
  }
}

function merge(base: Record<string, unknown>, over: Record<string, unknown>): Record<string, unknown> {
  const merged = { ...base }
  for (const [key, value] of Object.entries(over)) {
    const under = merged[key]
    merged[key] = isObjectLiteral(under) && isObjectLiteral(value) ? merge(under, value) : value
  }
  return merged
}

function isObjectLiteral(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && Object.getPrototypeOf(value) === Object.prototype
}
