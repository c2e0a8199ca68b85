// The lines of archives of `strapi export`: entries with their components inside, and links between entries.

import type { ContentType, Registry } from '@plinth/kernel'
import { isRecord } from '@plinth/kernel'
import { componentsOf, linksOf, type TransferRow } from '../tables/tables.ts'
import type { Item } from './items.ts'
import type { Line } from './lines.ts'

/** Returns the items of a line of `entities/`: the entry, its components at all depths, and their places; null for another form. */
export function entityItems({ value }: Line, model: Registry): Item[] | null {
  const { type, id, data } = value
  if (typeof type !== 'string' || typeof id !== 'number' || !isRecord(data)) return null
  return itemsOf(type, { ...data, id }, model)
}

const rowItem = (table: string, row: TransferRow): Item => ({ kind: 'row', table, row, hasFiles: true })

function itemsOf(uid: string, data: TransferRow, model: Registry): Item[] {
  const type = model.get(uid)
  if (type === undefined) return [rowItem(uid, data)]
  const own: Record<string, unknown> = {}
  const below: Item[] = []
  for (const [name, value] of Object.entries(data)) {
    const members = componentsIn(type, name, value)
    if (members === null) own[name] = value
    // Not by a spread into arguments, of which there may be more than the stack takes.
    else
      for (const [i, one] of members.entries())
        for (const item of memberItems({ type, owner: data.id, field: name, order: i + 1 }, one, model))
          below.push(item)
  }
  return [rowItem(uid, own), ...below]
}

/** A component and its uid. */
interface MemberOf {
  readonly uid: string
  readonly data: TransferRow
}

/** The place of a component. */
interface Place {
  readonly type: ContentType
  readonly owner: unknown
  readonly field: string
  readonly order: number
}

/** Returns the components in a value; null if the attribute does not hold components. */
function componentsIn(type: ContentType, name: string, value: unknown): MemberOf[] | null {
  const attribute = type.attributes.get(name)
  if (attribute?.kind !== 'component' && attribute?.kind !== 'zone') return null
  const list = [value ?? []].flat().filter(isRecord)
  if (attribute.kind === 'component') return list.map(data => ({ uid: attribute.component, data }))
  return list.map(({ __component: uid, ...data }) => ({ uid: String(uid), data }))
}

function memberItems({ type, owner, field, order }: Place, { uid, data }: MemberOf, model: Registry): Item[] {
  const place = { entity: owner, component: data.id, type: uid, field, order }
  return [...itemsOf(uid, data, model), rowItem(componentsOf(type.uid), place)]
}

/**
 * Returns the items of a line of `links/`; null for another form. Those that name administrators are left out: these are in
 * no archive.
 */
export function linkItems({ value }: Line, model: Registry): Item[] | null {
  const { left, right } = value
  if (!isRecord(left) || !isRecord(right) || typeof left.type !== 'string' || typeof left.field !== 'string')
    return null
  if (String(right.type).startsWith('admin::')) return []
  const attribute = model.get(left.type)?.attributes.get(left.field)
  const table = linksOf(left.type, left.field)
  if (attribute?.kind !== 'relation' || !attribute.owner) return [rowItem(table, { from: left.ref, to: right.ref })]
  switch (attribute.storage.kind) {
    case 'column':
      return [{ kind: 'set', table: left.type, id: Number(left.ref), row: { [left.field]: right.ref } }]
    case 'morphs': {
      const { ref, type, field, pos } = right
      return [rowItem(table, { owner: left.ref, to: ref, type, field: field ?? null, order: pos ?? null })]
    }
    default: {
      const { order = null, inverseOrder = null } = attribute.storage.kind === 'links' ? attribute.storage : {}
      const row: Record<string, unknown> = { from: left.ref, to: right.ref }
      if (order !== null) row.order = left.pos ?? null
      if (inverseOrder !== null) row.inverseOrder = right.pos ?? null
      return [rowItem(table, row)]
    }
  }
}
