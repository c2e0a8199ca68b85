// The size of a budget: as config/server says, or a part of the memory that the process may use.

import { getHeapStatistics } from 'node:v8'
import { StartError } from '@plinth/kernel'
import { bytesOfSize, isByteSize } from '../byte-size.ts'
import type { BudgetOptions } from './budget.ts'

/** The part of the memory that callers may hold. */
const part = 1 / 4

/** The least that can be set: less than one large answer would be of no use. */
const least = 1024 * 1024

/** A quarter of the smaller of the heap's limit and the memory of the container. */
export function usualBytes(
  heap = getHeapStatistics().heap_size_limit,
  container: number | undefined = process.constrainedMemory(),
): number {
  // Without a limit it is 0, or a number beyond any memory.
  const memory = container === undefined || container <= 0 ? heap : Math.min(heap, container)
  return Math.floor(memory * part)
}

/**
 * The options of a budget, from `budget` of config/server: `{ maxBytes }`, in bytes or as a text such as `128mb`. Throws
 * StartError.
 */
export function budgetOptions({ budget }: Readonly<Record<string, unknown>>): BudgetOptions {
  if (budget === undefined || budget === null) return { maxBytes: usualBytes() }
  if (typeof budget !== 'object' || Array.isArray(budget)) throw invalid('', 'must be an object: { maxBytes: … }')
  for (const key of Object.keys(budget))
    if (key !== 'maxBytes') throw invalid(`.${key}`, 'is not known, did you mean "maxBytes"?')
  const { maxBytes } = budget as { readonly maxBytes?: unknown }
  // An empty text comes from an empty environment variable.
  if (maxBytes === undefined || maxBytes === null || maxBytes === '') return { maxBytes: usualBytes() }
  if (!isByteSize(maxBytes))
    throw invalid('.maxBytes', `must be a number of bytes, or a text such as "128mb", not ${JSON.stringify(maxBytes)}`)
  const bytes = bytesOfSize(maxBytes)
  if (bytes < least) throw invalid('.maxBytes', `must be at least ${least} bytes, not ${bytes}`)
  return { maxBytes: bytes }
}

function invalid(place: string, fault: string): StartError {
  return new StartError('PLINTH_CONFIG_INVALID', `config/server: budget${place} ${fault}`)
}
