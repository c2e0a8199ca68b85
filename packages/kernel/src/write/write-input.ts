// Makes of the data of a write what the transaction needs: the parsed entry with its timestamps and hashes, and the
// names of its advisory locks. Reads the stored entry if an update must be complete.

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
export async function prepareCreation({ inputs }: Sources, write: OpenWrite): Promise<WriteInput> {
  const { type, data, now, completeness } = write
  const requirement = typeof completeness === 'function' ? await completeness() : completeness
  const input = inputs.parse(type, data, { isCreate: true, requirement, id: null })
  stamp(input.entry, 'createdAt', now)
  stamp(input.entry, 'updatedAt', now)
  await prepareScalars(input.entry)
  const names = valueLocks(input)
  return { input, names: write.singleton ? [...names, singleLock(type)] : names }
}

/** Prepares an update. Throws NotFoundError if there is no such entry, even if the data has faults, as in v4. */
export async function prepareUpdate(sources: Sources, write: OpenWrite): Promise<WriteInput> {
  const input = await parseUpdate(sources, write)
  stamp(input.entry, 'updatedAt', write.now)
  await prepareScalars(input.entry)
  return { input, names: valueLocks(input) }
}

async function parseUpdate({ inputs, entries }: Sources, write: OpenWrite): Promise<Input> {
  const { id, completeness: given } = write
  const parse = async (requirement: Completeness) => {
    const stored = requirement === 'full' ? await entries.whole(write) : null
    return inputs.parse(write.type, write.data, { isCreate: false, requirement, id, stored })
  }
  try {
    let input = await parse(typeof given === 'function' ? 'partial' : given)
    if (typeof given === 'function' && input.faults.length > 0) input = await parse(await given())
    // The UPDATE finds whether the row exists, but too late if faults or missing references are reported before it.
    const checks = input.faults.length + input.general.size + input.uniques.length + input.refs.size
    if (checks > 0 && !(await entries.exists(write))) throw new NotFoundError()
    return input
  } catch (error) {
    // After an error of the database the existence of the entry is not checked: further statements may fail too.
    if (!(error instanceof PlinthError)) throw error
    if (!(await entries.exists(write))) throw new NotFoundError()
    throw error
  }
}
