// An update's data, judged beside the entry it changes: what must be complete is looked up, and an entry that is not there is
// a 404.

import { NotFoundError, PlinthError } from '../errors.ts'
import type { InputParser } from './input.ts'
import type { Completeness } from '../hooks/write.ts'
import type { Input } from './parse.ts'
import type { EntryReader } from './reader.ts'
import type { OpenWrite } from './open-write.ts'

/** Throws NotFoundError where there is no such entry, whatever is wrong with the data, as in v4. */
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
    // The row itself tells in the end that it is there, but not before faults are told.
    const checks = input.faults.length + input.general.size + input.uniques.length + input.refs.size
    if (checks > 0 && !(await entries.exists(write))) throw new NotFoundError()
    return input
  } catch (error) {
    // What the database says is no judgement of the data, and may leave nothing to ask.
    if (!(error instanceof PlinthError)) throw error
    if (!(await entries.exists(write))) throw new NotFoundError()
    throw error
  }
}
