// The faults that stop a start of a project, one fault a line.

import type { Registry } from '@plinth/kernel'

/** One fault. */
export interface Fault {
  /** The file, or the content type. */
  readonly place: string
  readonly what: string
}

/** A text on one line. */
const oneLine = (text: string) => text.replaceAll(/\s*\n\s*/g, ' ').trim()

/** The faults of an error: its message may list several of one file. `place` is that of an error that names none. */
export function faultsOf(error: unknown, place: string): Fault[] {
  const message = error instanceof Error ? error.message : String(error)
  const [, listed, items] = /^((?:[^:\n]|::)+):\s*\n\s+- ([\s\S]+)$/.exec(message) ?? []
  if (listed !== undefined) return items!.split(/\n\s+- /).map(what => ({ place: listed, what: oneLine(what) }))
  const [, ownPlace, what] = /^((?:[\w@./-]|::)+?(?::\d+)?): ([\s\S]+)$/.exec(message) ?? []
  return ownPlace === undefined ? [{ place, what: oneLine(message) }] : [{ place: ownPlace, what: oneLine(what!) }]
}

/** A model with what had to be left out of it. */
export interface CheckedModel {
  readonly contentTypes: Registry
  readonly faults: readonly Fault[]
}
