// Finds the entries that link an entry.

import type { ContentType, Entry, Model } from '../model/types.ts'
import { type LinkingType, linkingTypes, usedByParameters } from '../model/used-by.ts'
import { listEntries, readOne } from './entries.ts'
import { isApiError } from './errors.ts'

/** Entries of one type that link an entry: the first of them, and how many there are. */
export interface LinkingEntries {
  readonly type: ContentType
  readonly entries: readonly Entry[]
  readonly total: number
}

interface Target {
  readonly type: ContentType
  readonly id: number
  readonly model: Model
}

const typesAtATime = 3

/** Asks a few types at a time, in the order of the model, and leaves out those without links. */
export async function findLinking(
  { type, id, model }: Target,
  signal: AbortSignal,
): Promise<readonly LinkingEntries[]> {
  const linking = linkingTypes(type, model)
  const results: LinkingEntries[] = []
  for (let index = 0; index < linking.length; index += typesAtATime) {
    const some = linking.slice(index, index + typesAtATime)
    results.push(...(await Promise.all(some.map(one => findIn(one, { type, id, model }, signal)))))
  }
  return results.filter(({ total }) => total > 0)
}

async function findIn(linking: LinkingType, { id, model }: Target, signal: AbortSignal): Promise<LinkingEntries> {
  const { type } = linking
  const parameters = usedByParameters(linking, id)
  if (type.kind === 'collection') {
    const { entries, total } = await listEntries({ type, model }, parameters, signal)
    return { type, entries, total }
  }
  const entry = await readSingle({ type, model, parameters }, signal)
  return { type, entries: entry === null ? [] : [entry], total: entry === null ? 0 : 1 }
}

/** A single type that a filter leaves out is answered as missing. */
async function readSingle(
  place: Pick<Target, 'type' | 'model'> & { readonly parameters: ReturnType<typeof usedByParameters> },
  signal: AbortSignal,
): Promise<Entry | null> {
  try {
    return await readOne({ ...place, id: null }, signal)
  } catch (error) {
    if (isApiError(error) && error.status === 404) return null
    throw error
  }
}
