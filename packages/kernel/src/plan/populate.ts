// The populate pass: plans the branches of a node. Unknown, private and dropped ones are omitted without an error
// (B-2.12).

import { invalidParameter, ValidationError } from '../errors.ts'
import type { Attribute, ContentType } from '../model/content-type.ts'
import { suggestion } from '../nearest.ts'
import type { Populate, Selection } from '../query/query.ts'
import type { PlanDraft } from './draft.ts'
import { planNode } from './node.ts'
import type { Branch, PlanNode } from './plan.ts'
import type { PlanScope } from './scope.ts'

/** Selects every readable scalar and nothing else. */
export const plainSelection: Selection = Object.freeze({
  fields: null,
  filters: null,
  sort: [],
  populate: { all: false, named: [] },
  parameters: [],
})

/** The branches of a node. */
export function planBranches(scope: PlanScope, draft: PlanDraft, selection: Selection, path: string): Branch[] {
  const { type } = draft
  const populates = new Map<string, Populate>()
  if (selection.populate.all) {
    for (const [name, attribute] of type.attributes)
      if (attribute.kind !== 'scalar') populates.set(name, plainPopulate(name))
  }
  for (const populate of selection.populate.named) populates.set(populate.key, populate)
  const branches: Branch[] = []
  for (const [key, populate] of populates) {
    const attribute = type.attributes.get(populate.name)
    if (attribute === undefined || attribute.kind === 'scalar' || !draft.isReadable(attribute)) {
      if (selection.populate.named.includes(populate)) ignorePopulate(scope, draft, populate.name, path)
      continue
    }
    const at = `${path}.${key}`
    const branch = scope.part(['populate', key], at, () => planBranch(scope, attribute, populate, at))
    if (branch !== null) branches.push(branch)
  }
  return branches
}

/** Ignores a populate of what the caller cannot populate, as v4 does, unless the query refuses it. */
function ignorePopulate(scope: PlanScope, draft: PlanDraft, name: string, path: string): void {
  const attribute = draft.type.attributes.get(name)
  const allowedNames = () =>
    [...draft.type.attributes.values()].flatMap(one => (one.kind !== 'scalar' && draft.isReadable(one) ? one.name : []))
  const remark = () => {
    if (attribute === undefined) return `no attribute "${name}"${suggestion(name, allowedNames())}`
    if (draft.isReadable(attribute)) return `"${name}" is a ${attribute.type}, which is answered without populate`
    return `attribute "${name}" is ${attribute.private ? 'private' : 'hidden from the caller'}`
  }
  scope.ignore({ path, name, allowedNames, remark })
}

function plainPopulate(name: string): Populate {
  return { key: name, name, selection: plainSelection, on: null, count: false, page: null, reversed: false }
}

function planBranch(scope: PlanScope, attribute: Attribute, populate: Populate, path: string): Branch | null {
  const { key, page, reversed } = populate
  const base = { key, name: attribute.name, page, reversed }
  // A dormant attribute is empty; a relation to a type that does not exist is left out.
  if (attribute.kind === 'dormant') return attribute.isPopulatable ? { ...base, kind: 'empty', attribute } : null
  if (attribute.kind === 'component') {
    const node = planTarget(scope, { uid: attribute.component, through: attribute, path }, populate.selection)
    return node === null ? null : { ...base, kind: 'component', attribute, node }
  }
  if (attribute.kind === 'zone') return planZone(scope, attribute, populate, path)
  if (attribute.kind !== 'relation') return null
  if (attribute.target === null) return scope.asOne(() => planMorph(scope, attribute, populate, path))
  const { filters, parameters } = populate.selection
  const selection = populate.count ? { ...plainSelection, filters, parameters } : populate.selection
  const node = planTarget(scope, { uid: attribute.target, through: attribute, path }, selection)
  if (node === null) return null
  return { ...base, kind: populate.count ? 'count' : 'relation', attribute, node }
}

interface Target {
  readonly uid: string
  readonly through: Attribute
  readonly path: string
}

function planTarget(scope: PlanScope, { uid, through, path }: Target, selection: Selection): PlanNode | null {
  const reached = { type: scope.registry.require(uid), via: 'populate', through, path } as const
  return planNode(scope.below(selection.parameters), reached, selection)
}

type ZoneOf = Extract<Attribute, { kind: 'zone' }>
type MorphOf = Extract<Attribute, { kind: 'relation' }>

function planZone(scope: PlanScope, attribute: ZoneOf, populate: Populate, path: string): Branch {
  const { key, page, reversed } = populate
  const nodes: PlanNode[] = []
  checkShared(
    attribute.components.map(uid => scope.registry.require(uid)),
    populate,
    path,
  )
  for (const { uid } of populate.on ?? [])
    if (!attribute.components.includes(uid))
      scope.ignore({
        path: `${path}.on`,
        name: uid,
        allowedNames: () => attribute.components,
        remark: () => `no component "${uid}" in the zone${suggestion(uid, attribute.components)}`,
      })
  for (const uid of attribute.components) {
    const only = populate.on?.find(one => one.uid === uid)
    if (populate.on !== null && only === undefined) continue
    const selection = only?.selection ?? shared(scope.registry.require(uid), populate.selection)
    const node = scope.within(['on', uid], () => planTarget(scope, { uid, through: attribute, path }, selection))
    if (node !== null) nodes.push(node)
  }
  return { kind: 'zone', key, name: attribute.name, page, reversed, attribute, nodes }
}

/** The part of a selection for several types that one type can use: the fields that it has. */
function shared(type: ContentType, selection: Selection): Selection {
  const { fields, populate, parameters } = selection
  const own = fields === null ? null : fields.filter(field => hasField(type, field))
  return { ...plainSelection, fields: own, populate, parameters }
}

function hasField(type: ContentType, field: string): boolean {
  return field === '*' || field === 'id' || type.attributes.get(field)?.kind === 'scalar'
}

/** Throws ValidationError for names that no type has, and for clauses that work only per type (B-2.6, B-2.80). */
function checkShared(types: readonly ContentType[], populate: Populate, path: string): void {
  if (populate.on !== null) return
  const { fields, filters, sort } = populate.selection
  for (const field of fields ?? [])
    if (!types.some(type => hasField(type, field))) throw invalidParameter(field, `${path}.fields`)
  const clause = filters !== null ? 'filters' : sort.length > 0 ? 'sort' : null
  if (clause === null) return
  const at = `${path}.${clause}`
  const message = `Invalid parameter ${at}: entries may be of several content types; use ${path}.on[type].${clause}`
  throw new ValidationError(message, { path: at })
}

function planMorph(scope: PlanScope, attribute: MorphOf, populate: Populate, path: string): Branch {
  const { key, page, reversed } = populate
  const nodes = new Map<string, PlanNode>()
  const types = [...scope.registry.values()].filter(type => type.kind !== 'component')
  checkShared(types, populate, path)
  for (const type of types) {
    const only = populate.on?.find(one => one.uid === type.uid)
    if (populate.on !== null && only === undefined) continue
    const selection = only?.selection ?? shared(type, populate.selection)
    const target = { uid: type.uid, through: attribute, path }
    const node = scope.within(['on', type.uid], () => planTarget(scope, target, selection))
    if (node !== null) nodes.set(type.uid, node)
  }
  return { kind: 'morph', key, name: attribute.name, page, reversed, attribute, nodes }
}
