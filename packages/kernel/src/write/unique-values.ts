// Checks unique values against what the same write replaces: a value that the entry has already, or gives up, is free
// for it; a value of another entry is not, and an entry does not get a value more often than it has it. Knows no SQL.

import type { Transaction } from '../connection/session.ts'
import type { ContentType, ScalarAttribute } from '../model/content-type.ts'
import type { Registry } from '../model/registry.ts'
import type { WriteStatements } from '../sql/writes/statements.ts'
import type { Input, InputEntry, UniqueCheck } from './parse.ts'
import type { RowWriter } from './rows.ts'
import { readStoredComponents, type StoredComponents } from './stored-components.ts'

/** The sources in which values are looked up. */
interface Sources {
  readonly registry: Registry
  readonly statements: WriteStatements
  readonly rows: RowWriter
}

/** Rows of components that give up a value which the write gives to another row. */
interface Release {
  readonly type: ContentType
  readonly attribute: ScalarAttribute
  readonly ids: readonly number[]
}

/** The outcome of the checks. */
export interface UniqueOutcome {
  /** The checks that are refused. */
  readonly clashes: ReadonlySet<UniqueCheck>
  readonly releases: readonly Release[]
}

/** Checks the unique values of writes. */
export class UniqueValues {
  readonly #sources: Sources

  constructor(sources: Sources) {
    this.#sources = sources
  }

  /** Finds the values that the write may not store. Asks the database once for each value that nothing has. */
  async check(tx: Transaction, { entry, uniques }: Input): Promise<UniqueOutcome> {
    const run = new UniqueCheckRun(tx, this.#sources, entry)
    // v4 accepts a value that a new entry has twice, and its clients may rely on it.
    const groups = entry.id === null ? uniques.map(one => [one]) : equalChecks(uniques)
    for (const checks of groups) await run.add(checks)
    return run
  }

  /**
   * Empties the values that the write moves from one row to another. A database may have a unique index of its own,
   * which would refuse the first half of a swap.
   */
  async release(tx: Transaction, releases: readonly Release[]): Promise<void> {
    for (const { type, attribute, ids } of releases) await this.#sources.rows.empty(tx, { type, attribute }, ids)
  }
}

/** The state while the values of one write are checked. */
class UniqueCheckRun implements UniqueOutcome {
  readonly clashes = new Set<UniqueCheck>()
  readonly releases: Release[] = []
  readonly #tx: Transaction
  readonly #sources: Sources
  readonly #entry: InputEntry
  #stored: StoredComponents | null = null

  constructor(tx: Transaction, sources: Sources, entry: InputEntry) {
    this.#tx = tx
    this.#sources = sources
    this.#entry = entry
  }

  /** Looks up the value of checks that are equal. */
  async add(checks: readonly UniqueCheck[]): Promise<void> {
    const [check] = checks as [UniqueCheck]
    const { rows } = this.#sources
    const isTaken = await rows.isTaken(this.#tx, check)
    if (!isTaken && checks.length === 1) return
    const { type, id } = this.#entry
    if (id === null) return this.#refuse(checks)
    if (check.type === type) {
      // Old rows may be equal. Clients send whole entries, so a value that stays is not refused (as in v4).
      if ((await rows.holders(this.#tx, check, [id])).length === 0) this.#refuse(checks)
      return
    }
    await this.#addComponents(checks, isTaken)
  }

  #refuse(checks: readonly UniqueCheck[]): void {
    for (const check of checks) this.clashes.add(check)
  }

  async #addComponents(checks: readonly UniqueCheck[], isTaken: boolean): Promise<void> {
    const [{ type, values }] = checks as [UniqueCheck]
    const [attribute] = [...values.keys()] as [ScalarAttribute]
    this.#stored ??= await readStoredComponents(this.#tx, this.#sources, this.#entry)
    const fates = this.#stored.get(type) ?? new Map<number, never>()
    const holders = new Set(await this.#sources.rows.holders(this.#tx, checks[0]!, [...fates.keys()]))
    if (holders.size === 0 && isTaken) return this.#refuse(checks)
    const keptIds = [...holders].filter(id => {
      const fate = fates.get(id)!
      return fate === 'kept' || (fate !== 'deleted' && !fate.scalars.has(attribute))
    })
    const free = Math.max(holders.size, 1) - keptIds.length
    // A row that has the value keeps it, whichever place it has in the list.
    const rows = byRow(checks.toSorted((a, b) => Number(holders.has(b.id ?? 0)) - Number(holders.has(a.id ?? 0))))
    for (const same of rows.slice(free)) this.#refuse(same)
    const written = new Set(checks.map(one => one.id))
    const ids = [...holders].filter(id => !keptIds.includes(id) && !written.has(id))
    if (ids.length > 0) this.releases.push({ type, attribute, ids })
  }
}

/** Groups checks of equal values, in their order. */
function equalChecks(checks: readonly UniqueCheck[]): UniqueCheck[][] {
  if (checks.length < 2) return checks.map(one => [one])
  const groups = new Map<string, UniqueCheck[]>()
  for (const check of checks) {
    const values = [...check.values].map(([attribute, value]) => [attribute.name, value ?? null])
    const key = JSON.stringify([check.type.uid, values])
    const same = groups.get(key)
    if (same === undefined) groups.set(key, [check])
    else same.push(check)
  }
  return [...groups.values()]
}

/** Groups checks of the same row: a client may send a component twice. Each new component is a row. */
function byRow(checks: readonly UniqueCheck[]): UniqueCheck[][] {
  const rows = new Map<unknown, UniqueCheck[]>()
  for (const check of checks) {
    const key = check.id ?? check
    const same = rows.get(key)
    if (same === undefined) rows.set(key, [check])
    else same.push(check)
  }
  return [...rows.values()]
}
