// Reads a file of config/ of a v4 project as text: for projects whose configuration cannot be run without v4. What only
// running could tell is left out. Knows `env`, `process.env`, constants, conditions, helper functions and helper files.

import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { envOf } from './settings/environment.ts'
import { Interpreter, type Scope, unread } from './settings/interpreter.ts'

const endings = ['', '.ts', '.js', '.mjs', '.cjs', '.json', '/index.ts', '/index.js']

/** The options of a reading. */
export interface SettingsSource {
  /** The root of the project. */
  readonly dir: string
  /** The name of the file, without ending: `database`. */
  readonly name: string
  /** The environment variables. */
  readonly env: Readonly<Record<string, string | undefined>>
}

/** The settings, or a list of them for middlewares; null if there is no such file, or nothing of it could be read. */
export function readSettings({ dir, name, env }: SettingsSource): Record<string, unknown> | readonly unknown[] | null {
  const mode = env.NODE_ENV || 'development'
  const base = settingsIn({ dir, name: `config/${name}`, env })
  const over = settingsIn({ dir, name: `config/env/${mode}/${name}`, env })
  if (isRecord(base) && isRecord(over)) return merge(base, over)
  return over ?? base
}

function settingsIn(source: SettingsSource): Record<string, unknown> | readonly unknown[] | null {
  const file = locate(source.dir, source.name)
  const value = file === null ? null : new Files(source).settings(file)
  return isRecord(value) || Array.isArray(value) ? value : null
}

function locate(dir: string, path: string): string | null {
  const file = endings.map(ending => `${path}${ending}`).find(one => /\.\w+$/.test(one) && existsSync(join(dir, one)))
  return file ?? null
}

/** The files of a project, each interpreted once. */
class Files {
  readonly #source: SettingsSource
  readonly #exports = new Map<string, unknown>()

  constructor(source: SettingsSource) {
    this.#source = source
  }

  /** Returns what the file exports, called with `env` if it is a function. */
  settings(file: string): unknown {
    const exported = this.#exported(file)
    const whole = (exported as { readonly default?: unknown } | undefined)?.default ?? exported
    if (typeof whole !== 'function') return cleaned(whole)
    const settings = Interpreter.attempt(() => (whole as (tools: object) => unknown)({ env: envOf(this.#source.env) }))
    return cleaned(settings)
  }

  #exported(file: string): unknown {
    if (this.#exports.has(file)) return this.#exports.get(file)
    // Set first: files may import each other in a circle.
    this.#exports.set(file, unread)
    const text = readFileSync(join(this.#source.dir, file), 'utf8').replace(/^\uFEFF/, '')
    const exported = file.endsWith('.json') ? parsed(text) : this.#run(file, text)
    this.#exports.set(file, exported)
    return exported
  }

  #run(file: string, text: string): unknown {
    const isTs = existsSync(join(this.#source.dir, 'tsconfig.json'))
    const folder = posix.join(isTs ? 'dist' : '.', posix.dirname(file))
    const globals: Scope = new Map<string, unknown>([
      ['process', { env: this.#source.env, cwd: () => this.#source.dir }],
      ['__dirname', join(this.#source.dir, folder)],
      ['require', (path: unknown) => this.#required(file, path)],
    ])
    return new Interpreter(globals).module(text)
  }

  #required(from: string, path: unknown): unknown {
    if (typeof path !== 'string') return unread
    if (/^(?:node:)?path$/.test(path)) return paths
    if (path === '@strapi/utils') return { env: envOf(this.#source.env) }
    if (!path.startsWith('.')) return unread
    const file = locate(this.#source.dir, posix.join(dirname(from).replaceAll('\\', '/'), path))
    return file === null || file.startsWith('..') ? unread : this.#exported(file)
  }
}

const joined = (...parts: unknown[]) =>
  parts.every(one => typeof one === 'string') ? join(...(parts as string[])) : unread
const paths = { join: joined, resolve: joined, default: { join: joined, resolve: joined } }

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return unread
  }
}

/** The value without what could not be read, and without functions. */
function cleaned(value: unknown): unknown {
  if (value === unread || typeof value === 'function') return undefined
  if (Array.isArray(value)) return value.map(cleaned)
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, one]) => {
      const clean = cleaned(one)
      return clean === undefined ? [] : [[name, clean]]
    }),
  )
}

/** Returns whether a value is an object with members. create-plinth uses this file, and has no kernel. */
function isRecord(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}

function merge(base: Record<string, unknown>, over: Record<string, unknown>): Record<string, unknown> {
  const merged = { ...base }
  for (const [name, value] of Object.entries(over)) {
    const under = merged[name]
    merged[name] = isRecord(under) && isRecord(value) ? merge(under, value) : value
  }
  return merged
}
