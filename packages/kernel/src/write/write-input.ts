// Prepares the data of a write before its transaction: parses it, sets the timestamps, computes values such as hashes,
// and names the advisory locks. Reads the stored entry if an update must be complete.

import type { Maybe } from '../connection/session.ts'
import { NotFoundError, PlinthError } from '../errors.ts'
import type { Completeness } from '../hooks/write.ts'
import type { Registry } from '../model/registry.ts'
import type { EntryLookup } from './entry-lookup.ts'
import type { InputParser } from './input.ts'
import type { OpenWrite } from './open-write.ts'
import type { Input, InputEntry } from './parse.ts'
import { singleLock, valueLocks } from './write-locks.ts'

/** The data of a write, ready to be written. */
export interface WriteInput {
  readonly input: Input
  /** The names of the advisory locks that the write needs. */
  readonly names: readonly string[]
}

/** The parser of data, the lookup of stored entries, and the types. */
export interface InputSources {
  readonly inputs: InputParser
  readonly entries: EntryLookup
  readonly registry: Registry
}

/**
 * Prepares a creation. The faults of the data are in the input. Throws ValidationError for data that is not an object.
 */
export function prepareCreation(sources: InputSources, write: OpenWrite): Maybe<WriteInput> {
  const parse = (requirement: Completeness) => {
    const input = sources.inputs.parse(write.type, write.data, { isCreate: true, requirement, id: null })
    stamp(input.entry, 'createdAt', write.time)
    for (const retired of sources.inputs.retiredOf(write.type)) input.entry.scalars.set(retired, write.time)
    return finish(sources, input, write)
  }
  const { completeness } = write
  return typeof completeness === 'function' ? Promise.resolve(completeness()).then(parse) : parse(completeness)
}

/** Prepares an update. Throws NotFoundError if there is no such entry, even if the data has faults, as in v4. */
export function prepareUpdate(sources: InputSources, write: OpenWrite): Maybe<WriteInput> {
  const input = parseUpdate(sources, write)
  return input instanceof Promise ? input.then(one => finish(sources, one, write)) : finish(sources, input, write)
}

/** Sets what is not stored as it was sent. A promise only if that takes time. */
function finish({ registry }: InputSources, input: Input, write: OpenWrite): Maybe<WriteInput> {
  stamp(input.entry, 'updatedAt', write.time)
  // The values of refused data are not hashed.
  const isFaulty = input.faults.length + input.general.size > 0
  const hashed = isFaulty ? undefined : prepareScalars(input.entry)
  const names = valueLocks(input, registry.divergence)
  const writeInput = {
    input,
    names: write.action === 'create' && write.singleton ? [...names, singleLock(write.type)] : names,
  }
  return hashed === undefined ? writeInput : hashed.then(() => writeInput)
}

/** Parses the data of an update. A promise only if the stored entry must be known, as for faults and references. */
function parseUpdate(sources: InputSources, write: OpenWrite): Maybe<Input> {
  const { id, completeness } = write
  if (completeness === 'full') return requireEntryIfChecked(sources, write, () => parseWhole(sources, write))
  const requirement = typeof completeness === 'function' ? 'partial' : completeness
  const parse = () => sources.inputs.parse(write.type, write.data, { isCreate: false, requirement, id, stored: null })
  let input: Input
  try {
    input = parse()
  } catch (error) {
    return requireEntryIfChecked(sources, write, () => Promise.reject(error))
  }
  return isChecked(input) ? requireEntryIfChecked(sources, write, () => againIfFaulty(sources, write, input)) : input
}

/** Returns whether something is checked before the UPDATE, which finds too late then that there is no row. */
function isChecked({ faults, general, uniques, refs }: Input): boolean {
  return faults.length + general.size + uniques.length + refs.size > 0
}

/**
 * Returns the input of `parse`. Throws NotFoundError if something must be checked, or was refused, and there is no such
 * entry.
 */
async function requireEntryIfChecked(
  { entries }: InputSources,
  write: OpenWrite,
  parse: () => Promise<Input>,
): Promise<Input> {
  try {
    const input = await parse()
    if (isChecked(input) && !(await entries.exists(write))) throw new NotFoundError()
    return input
  } catch (error) {
    // After an error of the database the existence of the entry is not checked: further statements may fail too.
    if (!(error instanceof PlinthError)) throw error
    if (!(await entries.exists(write))) throw new NotFoundError()
    throw error
  }
}

/** Parses the data again if it has faults: only then an update of partial data asks for what is required. */
async function againIfFaulty(sources: InputSources, write: OpenWrite, input: Input): Promise<Input> {
  const { completeness, id } = write
  if (typeof completeness !== 'function' || input.faults.length === 0) return input
  const requirement = await completeness()
  if (requirement === 'full') return parseWhole(sources, write)
  return sources.inputs.parse(write.type, write.data, { isCreate: false, requirement, id, stored: null })
}

async function parseWhole({ inputs, entries }: InputSources, write: OpenWrite): Promise<Input> {
  const stored = await entries.whole(write)
  return inputs.parse(write.type, write.data, { isCreate: false, requirement: 'full', id: write.id, stored })
}

/** Sets a timestamp, if the type has the attribute. `time` is in milliseconds since 1970. */
function stamp(entry: InputEntry, name: string, time: number): void {
  const attribute = entry.type.attributes.get(name)
  if (attribute?.kind === 'scalar') entry.scalars.set(attribute, time)
}

/** Computes values such as hashes, also in components. Returns undefined if there are none. */
function prepareScalars(entry: InputEntry): Promise<void> | undefined {
  return takesTime(entry) ? prepareAll(entry) : undefined
}

function takesTime({ scalars, components }: InputEntry): boolean {
  for (const attribute of scalars.keys()) if (attribute.scalar.prepare !== undefined) return true
  return components.some(({ items }) => items.some(takesTime))
}

async function prepareAll(entry: InputEntry): Promise<void> {
  for (const [attribute, value] of entry.scalars) {
    const { prepare } = attribute.scalar
    if (prepare === undefined || value === null || value === undefined) continue
    entry.scalars.set(attribute, await prepare(value, attribute.definition))
  }
  for (const { items } of entry.components) for (const item of items) await prepareAll(item)
}
