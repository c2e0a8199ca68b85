// Reads the versions of the entries of an answer together: resolvers ask for one each. Knows no schema.

import type { ContentType } from '@plinth/kernel'
import type { Versions, VersionsById } from './versions.ts'

/** An entry that was read before its version. */
interface ReadEntry {
  readonly id?: number | string | undefined
  /** Missing if the caller may not read it. */
  readonly updatedAt?: unknown
}

/** Entries of a type whose versions are asked for in the same turn. */
interface Batch {
  readonly ids: Set<number>
  readonly versions: Promise<VersionsById>
}

/** Loads versions. Whoever has read an entry may know its version, so callers share what is read. */
export class VersionLoader {
  readonly #versions: Versions
  readonly #batches = new Map<ContentType, Batch>()

  constructor(versions: Versions) {
    this.#versions = versions
  }

  /** Returns the version of an entry; null if the entry has changed since it was read, or is not there any more. */
  async load(type: ContentType, { id, updatedAt }: ReadEntry): Promise<string | null> {
    const { ids, versions } = this.#batches.get(type) ?? this.#begin(type)
    ids.add(Number(id))
    const entry = (await versions).get(Number(id))
    if (entry === undefined) return null
    return updatedAt === undefined || isSameTime(updatedAt, entry.updatedAt) ? entry.version : null
  }

  #begin(type: ContentType): Batch {
    const ids = new Set<number>()
    // All resolvers of an answer are called before the first promise is waited for.
    const versions = Promise.resolve().then(() => {
      this.#batches.delete(type)
      return this.#versions.of(type, [...ids])
    })
    const batch = { ids, versions }
    this.#batches.set(type, batch)
    return batch
  }
}

function isSameTime(one: unknown, other: string | null): boolean {
  if (one === null || other === null) return one === other
  return new Date(one as string | Date).getTime() === Date.parse(other)
}
