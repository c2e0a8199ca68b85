// Reads the versions of entries: hashes of all that is stored of them. Knows neither conditions nor transports.

import { createHmac } from 'node:crypto'
import type { ContentType, Kernel, Session } from '@plinth/kernel'
import { databaseOf, mayExist, type OpenDatabase } from '@plinth/kernel/tables'
import { HashKey } from './hash-key.ts'
import { type Part, Parts } from './parts.ts'

/** The number of hexadecimal digits of a version: 128 bits. */
const digits = 32

/** The version of an entry. */
export interface EntryVersion {
  readonly version: string
  /** The `updatedAt` of the entry that has this version, as entries show it; null if it has none. */
  readonly updatedAt: string | null
}

export type VersionsById = ReadonlyMap<number, EntryVersion>

/** The rows of the entries and components of one level, by type and id: the entries that they belong to. */
type Level = Map<ContentType, Map<number, Set<number>>>

/** Reads versions. */
export class Versions {
  readonly #kernel: Kernel
  readonly #key: HashKey
  #parts: Parts | null = null

  constructor(kernel: Kernel) {
    this.#kernel = kernel
    this.#key = new HashKey(kernel)
  }

  get #database(): OpenDatabase {
    return databaseOf(this.#kernel)
  }

  /** Makes the key of the database, if it has none. */
  async prepare(): Promise<void> {
    await this.#key.get()
  }

  /** Returns the versions of those entries of a type that exist, by id; read in the transaction of the caller, if there is one. */
  async of(type: ContentType, ids: readonly number[]): Promise<VersionsById> {
    const key = await this.#key.get()
    const { dialect } = this.#database
    const possible = ids.filter(id => mayExist(dialect, id))
    return this.#database.read(session => this.#read(session, { type, ids: possible, key }))
  }

  /** Returns the versions of all entries of a type that has few, such as the translations of a single type; of the first `most`. */
  async ofAll(type: ContentType, most: number): Promise<VersionsById> {
    const key = await this.#key.get()
    const { dialect } = this.#database
    const id = dialect.quote('id')
    const text = `SELECT ${id} FROM ${dialect.quote(type.table)} ORDER BY ${id} LIMIT ${dialect.limitPlaceholder}`
    return this.#database.read(async session => {
      const rows = await session.all(dialect.finish(text), [dialect.limit(most)])
      return this.#read(session, { type, ids: rows.map(([one]) => Number(one)), key })
    })
  }

  /** Reads, level by level, the rows of entries and of their components, and hashes those of each entry. */
  async #read(session: Session, { type, ids, key }: Question): Promise<VersionsById> {
    if (ids.length === 0) return new Map()
    const texts = new Map<number, string[]>(ids.map(id => [id, []]))
    const times = new Map<number, string | null>()
    const visited = new Set<string>()
    let level: Level = new Map([[type, new Map(ids.map(id => [id, new Set([id])]))]])
    while (level.size > 0) {
      const next: Level = new Map()
      for (const { type: owner, part, owners, rows } of await this.#readLevel(session, level)) {
        for (const row of rows) {
          const id = Number(row[0])
          const entries = owners.get(id) ?? []
          if (part.kind === 'row' && owner === type) times.set(id, this.#parts!.updatedAt(type, row))
          const text = rowText(part, row)
          for (const entry of entries) texts.get(entry)!.push(text)
          if (part.kind === 'components') this.#descend(row, entries, { next, visited })
        }
      }
      level = next
    }
    const versions = new Map<number, EntryVersion>()
    for (const [id, updatedAt] of times) versions.set(id, { version: hash(key, texts.get(id)!), updatedAt })
    return versions
  }

  /** Runs the statements of one level together. Types are sorted, so that the rows of an entry always have the same order. */
  async #readLevel(session: Session, level: Level): Promise<readonly PartRows[]> {
    const { dialect } = this.#database
    this.#parts ??= new Parts(this.#kernel.contentTypes, dialect)
    const all: Omit<PartRows, 'rows'>[] = []
    for (const [type, owners] of [...level].sort(([a], [b]) => (a.uid < b.uid ? -1 : 1)))
      for (const part of this.#parts.of(type)) all.push({ type, part, owners })
    const steps = all.map(({ part: { text, values }, owners }) => ({
      text,
      values: [...values, dialect.list([...owners.keys()])],
    }))
    const results = await session.batch(steps)
    return all.map((one, i) => ({ ...one, rows: results[i]! }))
  }

  /** Adds a component to the next level. Those without a schema stay as they are, and are not looked at. */
  #descend(row: readonly unknown[], entries: Iterable<number>, { next, visited }: Descent): void {
    const component = this.#kernel.contentTypes.get(String(row[2]))
    const id = Number(row[1])
    if (component === undefined) return
    for (const entry of entries) {
      // A database may say that a component contains itself.
      const place = `${entry} ${component.uid} ${id}`
      if (visited.has(place)) continue
      visited.add(place)
      const owners = next.get(component) ?? new Map<number, Set<number>>()
      next.set(component, owners)
      owners.set(id, (owners.get(id) ?? new Set()).add(entry))
    }
  }
}

interface Question {
  readonly type: ContentType
  readonly ids: readonly number[]
  readonly key: string
}

/** A part of a type, the entries that its rows belong to, and the rows. */
interface PartRows {
  readonly type: ContentType
  readonly part: Part
  readonly owners: ReadonlyMap<number, ReadonlySet<number>>
  readonly rows: readonly (readonly unknown[])[]
}

interface Descent {
  readonly next: Level
  readonly visited: Set<string>
}

function rowText({ table }: Part, row: readonly unknown[]): string {
  return `${table} ${JSON.stringify(row, (_key, value) => (typeof value === 'bigint' ? String(value) : value))}`
}

function hash(key: string, texts: readonly string[]): string {
  return createHmac('sha256', key).update(texts.join('\n')).digest('hex').slice(0, digits)
}
