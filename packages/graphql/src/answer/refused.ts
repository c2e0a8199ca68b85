// Parts of entries that the caller may not see: an error in the place of the value, so that each of its parents reports
// it.

import { ForbiddenError, type RefusedPart } from '@plinth/kernel'
import type { ObjectOutput } from '../operation/output.ts'

/** The reasons why parts of a question were left out, by their paths in its parameters: `populate.author`. */
export type Refusals = ReadonlyMap<string, Error>

/** For questions of which nothing was left out. */
export const noRefusals: Refusals = new Map()

/** The errors of the parts that the kernel has left out. An attribute that the caller may not read is forbidden. */
export function refusalsOf(parts: readonly RefusedPart[]): Refusals {
  if (parts.length === 0) return noRefusals
  return new Map(parts.map(({ kind, path, error }) => [path, kind === 'field' ? new ForbiddenError() : error]))
}

/** The reasons why parts were left out, and the path of a node in the parameters; empty at the root. */
export interface RefusedAt {
  readonly refusals: Refusals
  readonly path: string
}

/** The names of the attributes that an object shows of its entry. */
export function* attributesOf(output: ObjectOutput): Generator<string> {
  for (const member of output.members) {
    if (member.kind === 'same') yield* attributesOf(member.of)
    else if ((member.kind === 'scalar' || member.kind === 'own') && member.attribute !== null)
      yield member.attribute.name
  }
}

/** Adds the attributes that the caller may not read: functions that throw, which the default resolver calls. */
export function addRefused(output: ObjectOutput, scalars: Record<string, unknown>, place: RefusedAt): void {
  for (const name of attributesOf(output)) {
    if (name in scalars) continue
    const error = scalarRefusal(place, name)
    scalars[name] = () => {
      throw error
    }
  }
}

/** Returns the reason why a branch is missing; the path is that of the branch. */
export function branchRefusal({ refusals, path }: RefusedAt): Error {
  return refusals.get(path) ?? new ForbiddenError()
}

/** The path of a branch of a node. */
export function branchPath(path: string, branch: string): string {
  return `${path === '' ? '' : `${path}.`}populate.${branch}`
}

function scalarRefusal({ refusals, path }: RefusedAt, name: string): Error {
  const at = path === '' ? 'fields' : `${path}.fields`
  return refusals.get(`${at}.${name}`) ?? new ForbiddenError()
}
