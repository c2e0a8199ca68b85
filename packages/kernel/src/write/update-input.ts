// Parses the data of an update. Reads the stored entry if the whole must be complete, and reports an entry that does
// not exist as a 404.

import { NotFoundError, PlinthError } from '../errors.ts'
import type { InputParser } from './input.ts'
import type { Completeness } from '../hooks/write.ts'
import type { Input } from './parse.ts'
import type { EntryReader } from './reader.ts'
import type { OpenWrite } from './open-write.ts'

/** Parses the data. Throws NotFoundError if there is no such entry, even if the data has faults, as in v4. */
export async function parseUpdate(
  inputs: InputParser,
  entries: EntryReader,
  write: OpenWrite,
  id: number,
): Promise<Input> {
  const given = write.completeness
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
