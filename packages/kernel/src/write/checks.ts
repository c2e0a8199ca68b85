// The checks of a write that need the database, before it writes: that unique values are free, that linked entries
// exist, and that values fit into their columns.

import { isClash, isClashOf } from '../connection/clash.ts'
import { CollisionError } from '../connection/retry.ts'
import type { Transaction } from '../connection/session.ts'
import { type FieldError, UnavailableError, ValidationError } from '../errors.ts'
import type { Dialect } from '../sql/dialect.ts'
import { linkPlaces } from './link-places.ts'
import type { Input, InputEntry, UniqueCheck } from './parse.ts'
import type { ReferenceCheck } from './references.ts'
import type { UniqueOutcome, UniqueValues } from './unique-values.ts'

type Fault = Input['faults'][number]

/** Checks parsed input inside the transaction of the write. */
export class Checks {
  readonly #dialect: Dialect
  readonly #values: UniqueValues

  constructor(dialect: Dialect, values: UniqueValues) {
    this.#dialect = dialect
    this.#values = values
  }

  /**
   * Runs all checks. Throws ValidationError with all faults, in schema order. Undefined if the database need not be
   * asked, as for most updates.
   */
  run(tx: Transaction, input: Input, references: ReferenceCheck): Promise<void> | undefined {
    this.#requireFitting(input)
    const { faults, general, uniques, refs } = input
    if (faults.length + general.size + uniques.length + refs.size === 0) return undefined
    return this.#runAll(tx, input, references)
  }

  async #runAll(tx: Transaction, input: Input, references: ReferenceCheck): Promise<void> {
    const uniqueOutcome = input.uniques.length === 0 ? null : await this.#values.check(tx, input)
    const faults = faultsOf(input, uniqueOutcome)
    const countedReferences = faults.length > 0 || input.general.size > 0 ? references.whole : references
    this.#throwFaults(input, faults, await countedReferences.countMissing(tx))
    if (uniqueOutcome !== null) await this.#values.release(tx, uniqueOutcome.releases)
  }

  /**
   * Runs the checks before an INSERT that tests the references, or leaves them to foreign keys: they are counted only if
   * there are other faults.
   */
  async runBeforeGuarded(tx: Transaction, input: Input, references: ReferenceCheck): Promise<void> {
    this.#requireFitting(input)
    const uniqueOutcome = input.uniques.length === 0 ? null : await this.#values.check(tx, input)
    const faults = faultsOf(input, uniqueOutcome)
    if (faults.length > 0 || input.general.size > 0)
      this.#throwFaults(input, faults, await references.whole.countMissing(tx))
    if (uniqueOutcome !== null) await this.#values.release(tx, uniqueOutcome.releases)
  }

  /** Throws ValidationError for the references that such an INSERT found missing; there are no other faults. */
  async runAfterGuarded(tx: Transaction, input: Input, references: ReferenceCheck): Promise<void> {
    this.#throwFaults(input, [], await references.whole.countMissing(tx))
  }

  /** Throws ValidationError with all faults found so far if values do not fit into their columns. */
  #requireFitting({ entry, faults }: Input): void {
    const { refuse } = this.#dialect
    if (refuse === null) return
    const beyond = unfitValues(refuse, entry)
    if (beyond.length > 0) throw ValidationError.ofFields([...faults.map(one => one.error), ...beyond])
  }

  #throwFaults(input: Input, faults: Fault[], missing: ReadonlyMap<string, number>): void {
    const general = [...input.general.keys()]
    const links = [...input.general.values()].flat()
    for (const [uid, count] of missing) {
      general.push(`${count} relation(s) of type ${uid} associated with this entity do not exist`)
      links.push(...linkPlaces(input.entry, uid))
    }
    if (faults.length === 0 && general.length === 0) return
    faults.sort((a, b) => a.place - b.place)
    const whole = general.map((message): FieldError => ({ path: [], message, name: 'ValidationError' }))
    throw ValidationError.ofFields([...faults.map(one => one.error), ...whole], links)
  }
}

/** Returns the faults of values. */
function faultsOf({ faults }: Input, uniqueOutcome: UniqueOutcome | null): Fault[] {
  const clashes = [...(uniqueOutcome?.clashes ?? [])]
  return [...faults, ...clashes.map(({ place, path }) => ({ place, error: notUnique(path) }))]
}

/** Converts an error of a unique index to a ValidationError: another write may insert a value after the check. */
export async function guardUnique<T>(input: Input, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw uniqueFault(input, error)
  }
}

/** Returns the ValidationError for an error of a unique index; any other error itself. */
export function uniqueFault(input: Input, error: unknown): unknown {
  if (!isClash(error)) return error
  return ValidationError.ofFields([notUnique(findClash(error, input.uniques)?.path ?? [])])
}

/**
 * Returns the ValidationError for a unique index that has refused a component at every attempt; any other error itself.
 * No other write is to blame then: the write has a value twice, or the index is the database's own, which no check
 * knows.
 */
export function lastingClash(error: unknown, input: Input | null): unknown {
  if (input === null || input.entry.components.length === 0 || !(error instanceof UnavailableError)) return error
  const { cause: collision } = error
  return collision instanceof CollisionError && isClash(collision.cause) ? uniqueFault(input, collision.cause) : error
}

function notUnique(path: readonly string[]): FieldError {
  return { path, message: 'This attribute must be unique', name: 'ValidationError' }
}

/** Returns the check that the error is about; undefined if the error of the database does not say enough. */
export function findClash(error: unknown, checks: readonly UniqueCheck[]): UniqueCheck | undefined {
  return checks.find(check => isAbout(error, check)) ?? (checks.length === 1 ? checks[0] : undefined)
}

function isAbout(error: unknown, { type: { table }, values }: UniqueCheck): boolean {
  return isClashOf(error, { table, columns: [...values.keys()].map(one => one.column) })
}

/**
 * Returns one fault per value that its column cannot hold, components included: servers have limits that SQLite does
 * not have. They are reported before the database refuses them, in the format of other faults.
 */
function unfitValues(
  refuse: NonNullable<Dialect['refuse']>,
  entry: InputEntry,
  path: readonly string[] = [],
): FieldError[] {
  const faults: FieldError[] = []
  for (const [attribute, value] of entry.scalars) {
    if (value === null || value === undefined) continue
    const fault = refuse(attribute.scalar.storage, value)
    if (fault === null) continue
    const place = [...path, attribute.name]
    faults.push({ path: place, message: `${place.join('.')} ${fault}`, name: 'ValidationError' })
  }
  for (const { attribute, items } of entry.components) {
    for (const [i, item] of items.entries()) {
      const isList = attribute.kind === 'zone' || attribute.many
      faults.push(...unfitValues(refuse, item, [...path, attribute.name, ...(isList ? [String(i)] : [])]))
    }
  }
  return faults
}
