// Functions that the checks of definitions share. They run once, at the registration, not while requests are served.

import { suggestion } from '../nearest.ts'
import { knownWords, type Refuse } from './registrar.ts'

/** The keys of a definition, and whether they are needed. */
export type Words<Definition> = Readonly<Record<keyof Definition, 'needed' | 'optional'>>

/** Refuses values that are not objects, keys that are not known, and definitions that lack a needed key. */
export function checkWords<Definition>(
  definition: unknown,
  words: Words<Definition>,
  refuse: Refuse,
): asserts definition is Record<string, unknown> {
  if (definition === null || typeof definition !== 'object') refuse(`must be an object, found ${shown(definition)}`)
  const keys = Object.keys(words)
  for (const key of Object.keys(definition as object)) {
    if (!keys.includes(key)) refuse(`${key} is not known${knownWords(key, keys)}`)
  }
  for (const key of keys) {
    const isMissing = (definition as Record<string, unknown>)[key] === undefined
    if (isMissing && words[key as keyof Definition] === 'needed') refuse(`${key} is missing`)
  }
}

/** Refuses a value that is not one of `words`. */
export function checkOneOf(key: string, value: unknown, words: readonly string[], refuse: Refuse): void {
  if (typeof value === 'string' && words.includes(value)) return
  refuse(`${key} must be one of ${words.join(', ')}, found ${shown(value)}${suggestion(String(value), words)}`)
}

/** Refuses values that are not lists of these words, and empty lists. */
export function checkEachOf(key: string, values: unknown, words: readonly string[], refuse: Refuse): void {
  if (!Array.isArray(values) || values.length === 0)
    refuse(`${key} must be a list with at least one of ${words.join(', ')}`)
  for (const one of values as unknown[]) checkOneOf(`every item of ${key}`, one, words, refuse)
}

/** Refuses values that are not lists of texts. */
export function checkTexts(key: string, value: unknown, refuse: Refuse): void {
  const isList = Array.isArray(value) && value.every(one => typeof one === 'string' && one !== '')
  if (value !== undefined && !isList) refuse(`${key} must be a list of names, found ${shown(value)}`)
}

/** Refuses values that are not functions. */
export function checkFunction(key: string, value: unknown, refuse: Refuse): void {
  if (value !== undefined && typeof value !== 'function') refuse(`${key} must be a function, found ${shown(value)}`)
}

/** Refuses values that are not functions, and asynchronous functions, whose promise would not be awaited. */
export function checkSync(key: string, value: unknown, refuse: Refuse): void {
  checkFunction(key, value, refuse)
  if (isAsync(value)) refuse(`${key} must not be asynchronous, because its promise is not awaited`)
}

/**
 * Returns whether a function is declared as `async`. Other functions that return promises are found when they are
 * called.
 */
export function isAsync(fn: unknown): boolean {
  return Object.prototype.toString.call(fn) === '[object AsyncFunction]'
}

export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return value !== null && typeof value === 'object' && typeof (value as { then?: unknown }).then === 'function'
}

/** A value as messages show it. */
export function shown(value: unknown): string {
  if (typeof value === 'function') return 'a function'
  return typeof value === 'object' && value !== null
    ? JSON.stringify(value)
    : typeof value === 'string'
      ? `"${value}"`
      : String(value)
}
