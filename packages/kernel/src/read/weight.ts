// Estimates how many bytes cached queries take, for caches whose entries callers choose. The estimate is deliberately
// higher than was measured: a cache that is too small costs time, one that is too large can end the process.

import type { PreparedQuery } from '../result/execution.ts'

const perObject = 120
const perMember = 100
const perCharacter = 2

/** Returns the bytes of a nested value of parameters: records, lists, text, numbers. */
export function weighValue(value: unknown): number {
  if (typeof value === 'string') return 40 + perCharacter * value.length
  if (value === null || typeof value !== 'object') return 16
  let weight = perObject
  if (Array.isArray(value)) {
    for (const one of value) weight += perMember + weighValue(one)
    return weight
  }
  let largest = 0
  for (const key of Object.keys(value)) {
    weight += perMember + perCharacter * key.length + weighValue((value as Record<string, unknown>)[key])
    if (/^\d{1,4}$/.test(key)) largest = Math.max(largest, Number(key))
  }
  return weight + holes(largest)
}

/** An object whose keys are numbers may reserve room for all numbers up to the largest one, and half as many again. */
const holes = (largest: number): number => (largest === 0 ? 0 : 12 * largest)

/** Returns the bytes of a prepared query. Its plan is counted in full, although several queries may share it. */
export function weighPrepared({ compiled, parsed, bound }: PreparedQuery): number {
  let weight = 1000 + compiled.weight + perShape * parsed.query.shape.length
  for (const value of parsed.values) weight += perMember + 2 * weighValue(value)
  if (bound !== null) weight += perCharacter * bound.totalKey.length
  return weight
}

/** The bytes of a parsed query for each character of its shape. */
const perShape = 30
