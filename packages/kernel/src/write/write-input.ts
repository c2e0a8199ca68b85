// Makes of the data of a write what the transaction needs: the parsed entry with its timestamps and hashes, and the
// names of its advisory locks. Reads the stored entry if an update must be complete.

import type { Maybe } from '../database/session.ts'
import { NotFoundError, PlinthError } from '../errors.ts'
import type { InputParser } from './input.ts'
import type { Completeness } from '../hooks/write.ts'
import type { Input } from './parse.ts'
import type { EntryReader } from './reader.ts'
import type { OpenWrite } from './open-write.ts'
import { singleLock, valueLocks } from './value-locks.ts'
import { prepareScalars, stamp } from './values.ts'

/** The data of a write, ready to be written. */
export interface WriteInput {
  readonly input: Input
  /** The names of the advisory locks that the write needs. */
  readonly names: readonly string[]
}

/** What parses data, and what reads stored entries. */
interface Sources {
  readonly inputs: InputParser
  readonly entries: EntryReader
}

/** Prepares a creation. The faults of the data are in the input. Throws ValidationError for data that is no object. */
export function prepareCreation(sources: Sources, write: OpenWrite): Maybe<WriteInput> {
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
export function prepareUpdate(sources: Sources, write: OpenWrite): Maybe<WriteInput> {
  const input = parseUpdate(sources, write)
  return input instanceof Promise ? input.then(one => finish(sources, one, write)) : finish(sources, input, write)
}

/** Sets what is not stored as it was sent. A promise only if that takes time. */
function finish({ entries }: Sources, input: Input, write: OpenWrite): Maybe<WriteInput> {
  stamp(input.entry, 'updatedAt', write.time)
  const hashed = prepareScalars(input.entry)
  const names = valueLocks(input, entries.registry.divergence)
  const made = {
    input,
    names: write.action === 'create' && write.singleton ? [...names, singleLock(write.type)] : names,
  }
  return hashed === undefined ? made : hashed.then(() => made)
}

/** A promise only if the stored entry must be known, as for faults and references. */
function parseUpdate(sources: Sources, write: OpenWrite): Maybe<Input> {
  const { id, completeness } = write
  if (completeness === 'full') return judgeUpdate(sources, write, () => parseWhole(sources, write))
  const requirement = typeof completeness === 'function' ? 'partial' : completeness
  const parse = () => sources.inputs.parse(write.type, write.data, { isCreate: false, requirement, id, stored: null })
  let input: Input
  try {
    input = parse()
  } catch (error) {
    return judgeUpdate(sources, write, () => Promise.reject(error))
  }
  return isChecked(input) ? judgeUpdate(sources, write, () => againIfFaulty(sources, write, input)) : input
}

/** The UPDATE finds whether the row exists, but too late if faults or missing references are reported before it. */
function isChecked({ faults, general, uniques, refs }: Input): boolean {
  return faults.length + general.size + uniques.length + refs.size > 0
}

/** The input of `parse`. Throws NotFoundError if something must be checked, or was refused, and there is no such entry. */
async function judgeUpdate({ entries }: Sources, write: OpenWrite, parse: () => Promise<Input>): Promise<Input> {
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

/** What an update of partial data requires is asked only if the data has faults. */
async function againIfFaulty(sources: Sources, write: OpenWrite, input: Input): Promise<Input> {
  const { completeness, id } = write
  if (typeof completeness !== 'function' || input.faults.length === 0) return input
  const requirement = await completeness()
  if (requirement === 'full') return parseWhole(sources, write)
  return sources.inputs.parse(write.type, write.data, { isCreate: false, requirement, id, stored: null })
}

async function parseWhole({ inputs, entries }: Sources, write: OpenWrite): Promise<Input> {
  const stored = await entries.whole(write)
  return inputs.parse(write.type, write.data, { isCreate: false, requirement: 'full', id: write.id, stored })
}
