// What the caller may not see of entries: an error in the place of the value, so that each of its parents reports it.

import { ForbiddenError } from '@plinth/kernel'
import type { ObjectOutput } from './output.ts'

/** Why parts of a question were left out, by their paths in its parameters: `populate.author`. */
export type Refusals = ReadonlyMap<string, Error>

/** Why parts were left out, and the path of a node in the parameters; empty at the root. */
export interface RefusedAt {
  readonly refusals: Refusals
  readonly path: string
}

/** The attributes that an object shows of its entry. */
export function* attributesOf(output: ObjectOutput): Generator<{ readonly name: string; readonly isOwn: boolean }> {
  for (const member of output.members) {
    if (member.kind === 'same') yield* attributesOf(member.of)
    else if ((member.kind === 'scalar' || member.kind === 'own') && member.attribute !== null)
      yield { name: member.attribute.name, isOwn: member.kind === 'own' }
  }
}

/**
 * Adds the attributes that the caller may not read. Code around a field asks the default resolver, which calls functions;
 * a field without code is read as a property, where an error is a refusal for compiled functions, too.
 */
export function addRefused(output: ObjectOutput, scalars: Record<string, unknown>, about: RefusedAt): void {
  for (const { name, isOwn } of attributesOf(output)) {
    if (name in scalars) continue
    const error = scalarRefusal(about, name)
    scalars[name] = isOwn ? thrower(error) : error
  }
}

/** Why a branch is missing; the path is that of the branch. */
export function branchRefusal({ refusals, path }: RefusedAt): Error {
  return refusals.get(path) ?? new ForbiddenError()
}

/** The path of a branch of a node. */
export function branchPath(path: string, branch: string): string {
  return `${path === '' ? '' : `${path}.`}populate.${branch}`
}

/** An attribute that throws: the default resolver calls functions. */
function thrower(error: Error): () => never {
  return () => {
    throw error
  }
}

function scalarRefusal({ refusals, path }: RefusedAt, name: string): Error {
  const at = path === '' ? 'fields' : `${path}.fields`
  return refusals.get(`${at}.${name}`) ?? new ForbiddenError()
}
