// Configuration files of an application: `config/<name>.{ts,js,json}`, with `config/env/<NODE_ENV>/<name>` laid over them.

import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Env, env } from './env.ts'
import { StartError } from './errors.ts'

/** What a configuration file may export: the settings, or a function that makes them. */
export type ConfigFile<T> = T | ((tools: { readonly env: Env }) => T | Promise<T>)

/** The settings of `config/<name>`, {} where there are none. Loads `.env` (or ENV_PATH) once. */
export async function loadConfig(dir: string, name: string): Promise<Record<string, unknown>> {
  loadEnv(dir)
  const mode = process.env.NODE_ENV ?? 'development'
  const base = await readFileConfig(join(dir, 'config'), name)
  return merge(base, await readFileConfig(join(dir, 'config/env', mode), name))
}

const loaded = new Set<string>()

function loadEnv(dir: string): void {
  const path = process.env.ENV_PATH ?? join(dir, '.env')
  if (loaded.has(path)) return
  loaded.add(path)
  if (existsSync(path)) process.loadEnvFile(path)
}

async function readFileConfig(folder: string, name: string): Promise<Record<string, unknown>> {
  for (const extension of ['ts', 'js', 'mjs', 'cjs', 'json']) {
    const path = join(folder, `${name}.${extension}`)
    if (!existsSync(path)) continue
    if (extension === 'json') return parseJson(path, await readFile(path, 'utf8'))
    const module = (await import(pathToFileURL(path).href)) as { default?: ConfigFile<Record<string, unknown>> }
    const given = module.default ?? (module as Record<string, unknown>)
    return (typeof given === 'function' ? await given({ env }) : given) ?? {}
  }
  return {}
}

function parseJson(path: string, text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>
  } catch (error) {
    throw new StartError(`${path}: is not JSON: ${(error as Error).message}`)
  }
}

function merge(base: Record<string, unknown>, over: Record<string, unknown>): Record<string, unknown> {
  const merged = { ...base }
  for (const [key, value] of Object.entries(over)) {
    const under = merged[key]
    merged[key] = isPlain(under) && isPlain(value) ? merge(under, value) : value
  }
  return merged
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && Object.getPrototypeOf(value) === Object.prototype
}
