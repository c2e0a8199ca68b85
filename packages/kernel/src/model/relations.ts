// Resolves a relation's definition to its storage: its table and columns (B-10.20 to B-10.26, B-10.33 to B-10.36).

import { InvalidSchemaError } from '../errors.ts'
import { suggestion } from '../nearest.ts'
import type { AttributeDefinition, RelationAttribute, RelationKind, RelationStorage } from './content-type.ts'
import type { TypeDraft } from './draft.ts'
import { inverseOf } from './inverse.ts'
import { isUnanswered } from './mend-relations.ts'
import { columnName, linkColumns, linkNames, morphNames } from './naming.ts'

type Find = (uid: string) => TypeDraft | undefined
type ResolvedRelation = Pick<
  RelationAttribute,
  'kind' | 'relation' | 'target' | 'many' | 'owner' | 'bidirectional' | 'storage'
>

/**
 * The resolved relation; null if the target belongs to a plugin that is not enabled, or if `mappedBy` names no relation of it,
 * in which case v4 answers nothing either. Throws InvalidSchemaError if the
 * target or its other side is wrong.
 */
export function resolveRelation(
  draft: TypeDraft,
  name: string,
  one: AttributeDefinition,
  find: Find,
  listUids: () => readonly string[],
): ResolvedRelation | null {
  const relation = one.relation as RelationKind
  const many = relation.endsWith('ToMany') || relation === 'morphMany'
  if (relation === 'morphToOne' || relation === 'morphToMany') {
    return {
      kind: 'relation',
      relation,
      target: null,
      many,
      owner: true,
      bidirectional: false,
      storage: ownMorph(draft, name, many),
    }
  }
  const target = find(one.target as string)
  if (target === undefined) return missingTarget(draft, name, one.target as string, listUids())
  if (target.kind === 'component') {
    const fault = `"${target.uid}" is a component (${target.source}); the target of a relation must be a content type`
    throw new InvalidSchemaError(draft.source, `attributes.${name}.target`, fault)
  }
  const base = { kind: 'relation', relation, target: target.uid, many } as const
  if (relation === 'morphOne' || relation === 'morphMany') {
    return { ...base, owner: false, bidirectional: false, storage: inverseMorph(draft, name, one, target) }
  }
  if (isUnanswered(one, target)) return null
  const otherName = (one.mappedBy ?? one.inversedBy) as string | undefined
  const other = otherName === undefined ? undefined : inverseOf(draft, name, one, target, otherName)
  const owner = one.mappedBy === undefined
  return {
    ...base,
    owner,
    bidirectional: other !== undefined,
    storage: owner ? ownJoin(draft, name, one, target) : flip(ownJoin(target, otherName!, other!, draft)),
  }
}

function missingTarget(draft: TypeDraft, name: string, uid: string, uids: readonly string[]): null {
  // Types of plugins are missing when their plugin is not enabled; a missing type of the application is a mistake.
  if (uid.startsWith('plugin::') || uid.startsWith('admin::')) return null
  // A frequent mistake is an incomplete uid: `api::person` for `api::person.person`.
  const singular = uid.slice(Math.max(uid.lastIndexOf('.'), uid.lastIndexOf(':')) + 1)
  const full = `api::${singular}.${singular}`
  const hint = uids.includes(full) ? `, did you mean "${full}"?` : suggestion(uid, uids)
  throw new InvalidSchemaError(draft.source, `attributes.${name}.target`, `unknown content type "${uid}"${hint}`)
}

function ownJoin(draft: TypeDraft, name: string, one: AttributeDefinition, target: TypeDraft): RelationStorage {
  const relation = one.relation as RelationKind
  if (one.useJoinTable === false && relation.endsWith('ToOne')) {
    return { kind: 'column', column: columnName(`${name}_id`) }
  }
  const { table } = linkNames(draft.table, draft.singularName, name, target.singularName)
  const bidirectional = one.inversedBy !== undefined || one.mappedBy !== undefined
  return { kind: 'links', table, ...linkColumns({ relation, bidirectional }, draft.singularName, target.singularName) }
}

function flip(join: RelationStorage): RelationStorage {
  if (join.kind === 'column') return { kind: 'inverseColumn', column: join.column }
  if (join.kind !== 'links') return join
  const { kind: via, table, from, to, order, inverseOrder } = join
  return { kind: via, table, from: to, to: from, order: inverseOrder, inverseOrder: order }
}

function ownMorph(draft: TypeDraft, name: string, many: boolean): RelationStorage {
  return many ? { kind: 'morphs', ...morphNames(draft.table, draft.singularName, name) } : { kind: 'morphColumns' }
}

function inverseMorph(draft: TypeDraft, name: string, one: AttributeDefinition, target: TypeDraft): RelationStorage {
  const morphBy = one.morphBy as string
  const morph = target.attributes.get(morphBy)
  if (morph?.relation === 'morphToOne') return { kind: 'inverseMorphColumns' }
  if (morph?.relation === 'morphToMany') {
    return { kind: 'inverseMorphs', ...morphNames(target.table, target.singularName, morphBy) }
  }
  const morphRelations = [...target.attributes]
    .filter(([, each]) => String(each.relation).startsWith('morphTo'))
    .map(([each]) => each)
  const fault = `${target.uid} has no polymorphic relation "${morphBy}"${suggestion(morphBy, morphRelations)}`
  throw new InvalidSchemaError(draft.source, `attributes.${name}.morphBy`, fault)
}
