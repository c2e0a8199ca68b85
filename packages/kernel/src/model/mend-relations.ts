// Mends relations whose two sides do not name each other as they should, where v4 starts with them: one side owns the links
// as in v4, and the owner of the project is told. What v4 refuses too is left to inverse.ts.

import { suggestion } from '../nearest.ts'
import type { AttributeDefinition, Uid } from './content-type.ts'
import type { TypeDraft } from './draft.ts'
import { linkNames } from './naming.ts'

/** A relation that was mended. */
export interface MendedRelation {
  readonly uid: Uid
  readonly attribute: string
  /** The fault, and how it was mended. */
  readonly why: string
  /** The table in which v4 may have left links of the relation that it does not show; null if there is none. */
  readonly unusedTable: string | null
}

/** A relation of a draft. */
interface Side {
  readonly draft: TypeDraft
  readonly name: string
  readonly definition: AttributeDefinition
}

/** Mends the relations of all drafts, before they are closed. */
export function mendRelations(drafts: ReadonlyMap<Uid, TypeDraft>): MendedRelation[] {
  const mended: MendedRelation[] = []
  for (const draft of drafts.values()) {
    for (const [name, definition] of draft.attributes) {
      if (definition.type !== 'relation') continue
      const side = { draft, name, definition }
      const mend = mendTwoOwners(side, drafts) ?? mendMissing(side, drafts)
      if (mend !== null) mended.push(mend)
    }
  }
  return mended
}

/** `mappedBy` names no relation, but a relation of the target names this one: v4 goes by the owner of the links. */
function mendMissing({ draft, name, definition }: Side, drafts: ReadonlyMap<Uid, TypeDraft>): MendedRelation | null {
  const target = drafts.get(String(definition.target))
  if (target === undefined || !isUnanswered(definition, target)) return null
  const owner = [...target.attributes].findLast(
    ([, one]) => one.type === 'relation' && one.target === draft.uid && one.inversedBy === name,
  )?.[0]
  if (owner === undefined) return null
  draft.attributes.set(name, { ...definition, mappedBy: owner })
  const fault = faultOf(definition, target)
  return {
    uid: draft.uid,
    attribute: name,
    why: `${fault}; ${target.uid}.${owner}, which has inversedBy "${name}", is taken for it`,
    unusedTable: null,
  }
}

/** Returns whether `mappedBy` is not a relation of the target. */
export function isUnanswered({ mappedBy }: AttributeDefinition, target: TypeDraft): boolean {
  return typeof mappedBy === 'string' && target.attributes.get(mappedBy)?.type !== 'relation'
}

/** Returns the message that `mappedBy` is not a relation of the target. */
export function faultOf({ mappedBy }: AttributeDefinition, target: TypeDraft): string {
  const relations = [...target.attributes].filter(([, one]) => one.type === 'relation').map(([name]) => name)
  return `its mappedBy "${mappedBy}" is not a relation of ${target.uid}${suggestion(String(mappedBy), relations)}`
}

/** Both sides have `inversedBy`: v4 reads and writes the links of the one that it loads later. */
function mendTwoOwners(side: Side, drafts: ReadonlyMap<Uid, TypeDraft>): MendedRelation | null {
  const { draft, name, definition } = side
  const target = drafts.get(String(definition.target))
  const otherName = definition.inversedBy
  const other = target?.attributes.get(String(otherName))
  if (target === undefined || typeof otherName !== 'string' || other === undefined) return null
  const isItself = target === draft && otherName === name
  const isPair = other.type === 'relation' && other.target === draft.uid && other.inversedBy === name
  // Of a manyToOne and a oneToMany only the first can own links, in v4, too.
  const isBoth = definition.relation === other.relation && /^(oneToOne|manyToMany)$/.test(String(definition.relation))
  if (isItself || !isPair || !isBoth || !isBefore(side, { draft: target, name: otherName, definition: other }))
    return null
  const { inversedBy: _, ...rest } = definition
  draft.attributes.set(name, { ...rest, type: definition.type, mappedBy: otherName })
  const links = (from: TypeDraft, attribute: string, to: TypeDraft) =>
    linkNames(from.table, from.singularName, attribute, to.singularName).table
  const used = links(target, otherName, draft)
  return {
    uid: draft.uid,
    attribute: name,
    why: `both sides have inversedBy; as in v4, which loads ${target === draft ? `the attribute "${otherName}"` : target.uid} later, ${target.uid}.${otherName} owns the links, in the table ${used}; write mappedBy instead of inversedBy here`,
    unusedTable: links(draft, name, target),
  }
}

/**
 * Returns whether v4 loads a side before the other one: types of plugins, then those of the application by their uids.
 */
function isBefore(one: Side, other: Side): boolean {
  if (one.draft === other.draft) {
    const names = [...one.draft.attributes.keys()]
    return names.indexOf(one.name) < names.indexOf(other.name)
  }
  const isOwn = ({ draft }: Side) => draft.uid.startsWith('api::')
  return isOwn(one) === isOwn(other) ? one.draft.uid < other.draft.uid : isOwn(other)
}
