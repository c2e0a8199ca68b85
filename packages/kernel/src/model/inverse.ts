// Checks the two sides of a relation (B-10.22 to B-10.24): each names the other, one of them owns the tables, and their
// kinds match. Otherwise each side would read links that the other side does not write.

import { InvalidSchemaError } from '../errors.ts'
import { suggestion } from '../nearest.ts'
import type { AttributeDefinition } from './content-type.ts'
import type { TypeDraft } from './draft.ts'

/** The kind of the other side, by kind. */
const opposites: Readonly<Record<string, string>> = {
  oneToOne: 'oneToOne',
  oneToMany: 'manyToOne',
  manyToOne: 'oneToMany',
  manyToMany: 'manyToMany',
}

/** The relation that `inversedBy` or `mappedBy` names. Throws InvalidSchemaError if it does not match. */
export function inverseOf(
  draft: TypeDraft,
  name: string,
  one: AttributeDefinition,
  target: TypeDraft,
  otherName: string,
): AttributeDefinition {
  const option = one.mappedBy === undefined ? 'inversedBy' : 'mappedBy'
  const fail = (word: string, fault: string): never => {
    throw new InvalidSchemaError(draft.source, `attributes.${name}.${word}`, fault)
  }
  const other = target.attributes.get(otherName)
  if (other === undefined || other.type !== 'relation') {
    return fail(option, `${target.uid} has no relation "${otherName}"${suggestion(otherName, relationsOf(target))}`)
  }
  const back = (other.inversedBy ?? other.mappedBy) as string | undefined
  if (back !== undefined && other.target === draft.uid && draft.attributes.get(back)?.type !== 'relation') {
    // The other side has the misspelt name, so the error names its file.
    const word = other.inversedBy === undefined ? 'mappedBy' : 'inversedBy'
    const fault = `${draft.uid} has no relation "${back}"${suggestion(back, relationsOf(draft))}`
    throw new InvalidSchemaError(target.source, `attributes.${otherName}.${word}`, fault)
  }
  if (other.target !== draft.uid || (back !== undefined && back !== name)) {
    const where = other.target === draft.uid ? `${draft.uid}.${back}` : String(other.target)
    return fail(option, `${target.uid}.${otherName} refers to ${where} instead of ${draft.uid}.${name}`)
  }
  const place = `${target.source}: attributes.${otherName}`
  const kind = String(one.relation)
  const oppositeKind = opposites[kind]
  if (other.relation !== oppositeKind)
    return fail(
      'relation',
      `the other side of a ${kind} must be a ${oppositeKind}, but ${place}.relation is "${other.relation}"`,
    )
  // A single attribute that names itself is its own owner; for two attributes this is impossible.
  const isItself = target === draft && otherName === name
  if (other.mappedBy !== undefined && option === 'mappedBy') {
    const fault = isItself ? 'a relation cannot be the other side of itself' : `${place} also has mappedBy`
    return fail(option, `${fault}; the side that owns the links must have inversedBy`)
  }
  if (other.inversedBy !== undefined && option === 'inversedBy' && !isItself)
    return fail(option, `${place} also has inversedBy; the side that does not own the links must have mappedBy`)
  const owner = option === 'inversedBy' ? kind : String(other.relation)
  if (owner === 'oneToMany')
    return fail(
      option,
      `the manyToOne owns the links, so it must have inversedBy, and the oneToMany mappedBy (${place})`,
    )
  return other
}

function relationsOf(draft: TypeDraft): string[] {
  return [...draft.attributes].filter(([, each]) => each.type === 'relation').map(([name]) => name)
}
