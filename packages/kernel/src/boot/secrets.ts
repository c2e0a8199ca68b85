// Finds the secrets of an application, such as the keys that sign or hash the tokens of callers, and makes them at the
// first start in development. Does not know what a secret is used for.

import { randomBytes } from 'node:crypto'
import { appendFile, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseEnv } from 'node:util'
import { StartError } from '../errors.ts'

/** The sources of a secret: a setting, or else an environment variable. */
export interface SecretSource {
  /** The value of the setting; undefined if it is not set. */
  readonly configured?: string | undefined
  /** The setting as messages name it, such as `config/plugins: <plugin>.config.<setting>`. */
  readonly setting: string
  /** The environment variable, which is read if there is no setting. */
  readonly variable: string
}

/** The values of v4's example files, which everybody knows (security.md A.5). */
const sample = /^(?:to-?be-?modified|change-?me|replace-?me|secret)\d*$/i

/**
 * The value of the setting, or else that of the environment variable. Outside of production a missing secret is made
 * and added to `.env` (or ENV_PATH), as v4 does. Throws StartError in production if it is missing or a sample, and
 * if nothing can keep it: without a folder, or if the file cannot be written. `dir` is the folder of the application; null if there is none.
 */
export async function findSecret(
  { configured, setting, variable }: SecretSource,
  dir: string | null,
  inform: (message: string) => void,
): Promise<string> {
  const isProduction = process.env.NODE_ENV === 'production'
  /** Runs `work` on the file. The error of a file that cannot be read or written does not say what it was for. */
  const onFile = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work()
    } catch (cause) {
      if (typeof (cause as NodeJS.ErrnoException).syscall !== 'string') throw cause
      const fault = `${variable} is missing, and none can be kept in ${envFile(dir!)} (${(cause as Error).message})`
      throw missing(fault, setting, variable, { cause })
    }
  }
  const value = configured ?? process.env[variable] ?? (await onFile(() => inFile(dir, variable))) ?? ''
  if (value !== '' && !(isProduction && sample.test(value))) return value
  if (value !== '') throw missing(`${variable} has the value of an example, which everybody knows`, setting, variable)
  if (isProduction || dir === null) throw missing(`${variable} is missing`, setting, variable)
  const file = envFile(dir)
  return onFile(() =>
    alone(file, async () => {
      const stored = (await inFile(dir, variable)) ?? ''
      if (stored !== '') return stored
      const secret = randomBytes(32).toString('base64url')
      await appendFile(file, `${await lineBreak(file)}${variable}=${secret}\n`, { mode: 0o600 })
      inform(`A value for ${variable} was made and stored in ${file}; keep it out of the repository`)
      return secret
    }),
  )
}

/** The age at which the lock of a process that was killed is ignored, in milliseconds. */
const maxAge = 5000

/** Runs `work` while no other process does: of two that start at the same time, both use the secret of one. */
async function alone<T>(file: string, work: () => Promise<T>): Promise<T> {
  const lock = `${file}.lock`
  while (!(await takeLock(lock))) await sleep(20)
  try {
    return await work()
  } finally {
    await rm(lock, { force: true })
  }
}

/** Makes the lock. Returns false if another process has it. */
async function takeLock(lock: string): Promise<boolean> {
  try {
    await writeFile(lock, '', { flag: 'wx' })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  const age = await stat(lock).then(
    ({ mtimeMs }) => Date.now() - mtimeMs,
    () => 0,
  )
  if (age > maxAge) await rm(lock, { force: true })
  return false
}

const envFile = (dir: string) => process.env.ENV_PATH ?? join(dir, '.env')

/** The variable in `.env`. Node has read the file, but perhaps before another kernel of the process made the secret. */
async function inFile(dir: string | null, variable: string): Promise<string | undefined> {
  return dir === null ? undefined : parseEnv(await textOf(envFile(dir)))[variable]
}

/** Returns the line break that must precede a new line at the end of the file; empty if none is needed. */
async function lineBreak(file: string): Promise<string> {
  const text = await textOf(file)
  return text === '' || text.endsWith('\n') ? '' : '\n'
}

async function textOf(file: string): Promise<string> {
  try {
    return (await readFile(file, 'utf8')).replace(/^\uFEFF/, '')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw error
  }
}

function missing(fault: string, setting: string, variable: string, options?: ErrorOptions): StartError {
  const how = `node -e "console.log(require('crypto').randomBytes(32).toString('base64url'))"`
  return new StartError(
    'PLINTH_SECRET_MISSING',
    `${setting}: ${fault}; set it, or the environment variable ${variable}, to a random value, as ${how} prints one`,
    options,
  )
}
