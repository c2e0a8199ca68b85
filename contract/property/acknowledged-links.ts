/**
 * Checks links: a link of an acknowledged write must exist unless another acknowledged write of the program can have
 * removed it. It compares the data of writes with pairs of ids and sends nothing.
 */

import type { Attribute, ContentType } from '@plinth/kernel'
import type { Fact } from './fact.ts'
import { isLinked } from './program-values.ts'

type Types = ReadonlyMap<string, ContentType>
type Relation = Extract<Attribute, { kind: 'relation' }>

/** The links of a relation by the uid and attribute of its owner, as `<id> <id>`: the owner's id, then the target's. */
export type Links = ReadonlyMap<string, ReadonlySet<string>>

/** A link by the names of its entries, seen from one side; null stands for any entry. */
interface Pair {
  readonly own: string | null
  readonly other: string | null
}

interface Change {
  readonly relation: string
  /** Pairs are reversed if necessary, so that the owner of the relation is first. */
  readonly adds: readonly Pair[]
  readonly removes: readonly Pair[]
  readonly began: number
  readonly ended: number
}

/**
 * The relation of an attribute, as declared by the type whose schema defines its tables. Null if the links have no
 * table of their own.
 */
export function relationOf(types: Types, type: ContentType, name: string): { key: string; isOwner: boolean } | null {
  const attribute = type.attributes.get(name)
  if (
    attribute === undefined ||
    !isLinked(attribute) ||
    attribute.target === null ||
    attribute.storage.kind !== 'links'
  )
    return null
  if (attribute.owner) return { key: `${type.uid} ${name}`, isOwner: true }
  return { key: `${types.get(attribute.target)!.uid} ${String(attribute.definition.mappedBy)}`, isOwner: false }
}

/** The missing links, by the names of their entries. */
export function missingLinks(
  types: Types,
  facts: readonly Fact[],
  ids: Readonly<Record<string, number>>,
  links: Links,
): string[] {
  const changes = facts.flatMap(fact => changesOf(types, fact))
  const missing: string[] = []
  for (const change of changes) {
    const others = changes.filter(
      one => one !== change && one.relation === change.relation && one.ended >= change.began,
    )
    const removed = others.flatMap(one => one.removes)
    for (const { own, other } of change.adds) {
      if (own === null || other === null || removed.some(one => covers(one, own, other))) continue
      if (links.get(change.relation)?.has(`${ids[own]} ${ids[other]}`) !== true)
        missing.push(`${change.relation}: ${own} (${ids[own]}) is not linked to ${other}, but this was acknowledged`)
    }
  }
  return missing
}

function covers(pair: Pair, own: string, other: string): boolean {
  return (pair.own === null || pair.own === own) && (pair.other === null || pair.other === other)
}

function changesOf(types: Types, { step, began, ended }: Fact): Change[] {
  const type = types.get(step.type)!
  const entry = 'as' in step ? step.as : 'entry' in step ? step.entry : null
  if (entry === null) return []
  if (step.do === 'delete') return deletionOf(types, type, entry).map(one => ({ ...one, began, ended }))
  if (!('data' in step)) return []
  return Object.entries(step.data).flatMap(([name, value]) => {
    const relation = relationOf(types, type, name)
    if (relation === null) return []
    const { adds, removes } = pairsOf(type.attributes.get(name) as Relation, entry, value)
    const turn = ({ own, other }: Pair): Pair => (relation.isOwner ? { own, other } : { own: other, other: own })
    return [{ relation: relation.key, adds: adds.map(turn), removes: removes.map(turn), began, ended }]
  })
}

/** Deleting an entry deletes its links on both sides of a relation. */
function deletionOf(types: Types, type: ContentType, entry: string): Pick<Change, 'relation' | 'adds' | 'removes'>[] {
  const keys = [...types.values()].flatMap(one =>
    [...one.attributes.values()].flatMap(attribute => {
      const relation = relationOf(types, one, attribute.name)
      const isTouched = one === type || (attribute.kind === 'relation' && attribute.target === type.uid)
      return relation?.isOwner === true && isTouched ? [relation.key] : []
    }),
  )
  const removes = [
    { own: entry, other: null },
    { own: null, other: entry },
  ]
  return keys.map(relation => ({ relation, adds: [], removes }))
}

function pairsOf(attribute: Relation, own: string, value: unknown): { adds: Pair[]; removes: Pair[] } {
  const { connect, disconnect } = (value ?? {}) as { connect?: unknown[]; disconnect?: unknown[] }
  const isPatch = connect !== undefined || disconnect !== undefined
  const added = namesIn(isPatch ? connect : value)
  const adds = added.map(other => ({ own, other }))
  const removes: Pair[] = namesIn(disconnect).map(other => ({ own, other }))
  if (!isPatch || (!attribute.many && added.length > 0)) removes.push({ own, other: null })
  const takes = attribute.bidirectional && attribute.relation.startsWith('oneTo')
  if (takes) removes.push(...added.map(other => ({ own: null, other })))
  return { adds, removes }
}

function namesIn(value: unknown): string[] {
  return [value ?? []].flat().map(one => (one as { id: { $ref: string } }).id.$ref)
}
