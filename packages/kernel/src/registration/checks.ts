// Functions that the checks of definitions share. They run once, at the registration, not while requests are served.

import { suggestion } from '../nearest.ts'
import { knownWords, type Refuse } from './registrar.ts'

/** The keys of a definition, and whether they are needed. */
export type Words<Definition> = Readonly<Record<keyof Definition, 'needed' | 'optional'>>

/** Refuses values that are not objects, keys that are not known, and definitions that lack a needed key. */
export function checkWords<Definition>(
  given: unknown,
  words: Words<Definition>,
  refuse: Refuse,
): asserts given is Record<string, unknown> {
  if (given === null || typeof given !== 'object') refuse(`must be an object, found ${shown(given)}`)
  const known = Object.keys(words)
  for (const key of Object.keys(given as object)) {
    if (!known.includes(key)) refuse(`${key} is not known${knownWords(key, known)}`)
  }
  for (const key of known) {
    const isMissing = (given as Record<string, unknown>)[key] === undefined
    if (isMissing && words[key as keyof Definition] === 'needed') refuse(`${key} is missing`)
  }
}

/** Refuses a value that is not one of `known`. */
export function checkOneOf(key: string, given: unknown, known: readonly string[], refuse: Refuse): void {
  if (typeof given === 'string' && known.includes(given)) return
  refuse(`${key} must be one of ${known.join(', ')}, found ${shown(given)}${suggestion(String(given), known)}`)
}

/** Refuses values that are not lists of these words, and empty lists. */
export function checkEachOf(key: string, given: unknown, known: readonly string[], refuse: Refuse): void {
  if (!Array.isArray(given) || given.length === 0)
    refuse(`${key} must be a list with at least one of ${known.join(', ')}`)
  for (const one of given as unknown[]) checkOneOf(`every item of ${key}`, one, known, refuse)
}

/** Refuses values that are not lists of texts. */
export function checkTexts(key: string, given: unknown, refuse: Refuse): void {
  const isList = Array.isArray(given) && given.every(one => typeof one === 'string' && one !== '')
  if (given !== undefined && !isList) refuse(`${key} must be a list of names, found ${shown(given)}`)
}

/** Refuses values that are not functions. */
export function checkFunction(key: string, given: unknown, refuse: Refuse): void {
  if (given !== undefined && typeof given !== 'function') refuse(`${key} must be a function, found ${shown(given)}`)
}

/** Refuses values that are not functions, and asynchronous functions, whose promise would not be awaited. */
export function checkSync(key: string, given: unknown, refuse: Refuse): void {
  checkFunction(key, given, refuse)
  if (isAsync(given)) refuse(`${key} must not be asynchronous, because its promise is not awaited`)
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
