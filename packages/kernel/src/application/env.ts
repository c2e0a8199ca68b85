// The function `env` that configuration files receive to read environment variables (B-10.46).

import { StartError } from '../errors.ts'

/** Reads an environment variable, with a default. */
export interface Env {
  (key: string): string | undefined
  (key: string, fallback: string): string
  int(key: string, fallback?: number): number | undefined
  float(key: string, fallback?: number): number | undefined
  bool(key: string, fallback?: boolean): boolean | undefined
  json(key: string, fallback?: unknown): unknown
  array(key: string, fallback?: string[]): string[] | undefined
  date(key: string, fallback?: Date): Date | undefined
  oneOf<const Value extends string>(key: string, values: readonly Value[], fallback: Value): Value
  oneOf<const Value extends string>(key: string, values: readonly Value[], fallback?: Value): Value | undefined
}

function read<T>(parse: (text: string) => T): (key: string, fallback?: T) => T | undefined {
  return (key, fallback) => {
    const text = process.env[key]
    return text === undefined ? fallback : parse(text)
  }
}

/** Throws StartError for a text that is not a number. v4 returns NaN, whose later errors do not name the variable. */
function readNumber(
  parse: (text: string) => number,
  what: string,
): (key: string, fallback?: number) => number | undefined {
  return (key, fallback) => {
    const text = process.env[key]
    if (text === undefined) return fallback
    const value = parse(text)
    if (!Number.isNaN(value)) return value
    throw new StartError('PLINTH_CONFIG_ENV', `The environment variable ${key} must be ${what}, not "${text}"`)
  }
}

export const env: Env = Object.assign(((key: string, fallback?: string) => process.env[key] ?? fallback) as Env, {
  int: readNumber(text => Number.parseInt(text, 10), 'an integer'),
  float: readNumber(Number.parseFloat, 'a number'),
  bool: read(text => text === 'true'),
  json: (key: string, fallback?: unknown) => {
    const text = process.env[key]
    if (text === undefined) return fallback
    try {
      return JSON.parse(text) as unknown
    } catch (error) {
      throw new StartError(
        'PLINTH_CONFIG_ENV',
        `The environment variable ${key} is not valid JSON: ${(error as Error).message}`,
      )
    }
  },
  array: read(text =>
    text
      .replace(/^\s*\[|\]\s*$/g, '')
      .split(',')
      .map(item => item.trim().replace(/^"|"$/g, '')),
  ),
  date: read(text => new Date(text)),
  oneOf: (key: string, values: readonly string[], fallback?: string) => {
    const text = process.env[key]
    return text !== undefined && values.includes(text) ? text : fallback
  },
})
