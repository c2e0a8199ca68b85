// About how many bytes questions hold while they are kept, for caches whose entries callers choose. Deliberately more than was
// measured: a cache that is too small costs time, one that is too large the process.

import type { Prepared } from '../answer/execution.ts'

const perObject = 120
const perMember = 100
const perCharacter = 2

/** Bytes of a nested value of parameters: records, lists, text, numbers. */
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

/** An object with numbers for names may have room for all numbers up to the largest one, and half as many again. */
const holes = (largest: number): number => (largest === 0 ? 0 : 12 * largest)

/** Bytes of a question that is kept ready. Its plan is counted in full, although questions may share it. */
export function weighPrepared({ compiled, parsed, bound }: Prepared): number {
  let weight = 1000 + compiled.weight + perShape * parsed.query.shape.length
  for (const value of parsed.values) weight += perMember + 2 * weighValue(value)
  if (bound !== null) weight += perCharacter * bound.totalKey.length
  return weight
}

/** What was parsed, for each character of its shape. */
const perShape = 30
