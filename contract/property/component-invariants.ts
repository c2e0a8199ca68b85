/**
 * Invariants of components: each has one parent, fields contain what they may, in order. Each is a SELECT of
 * violations.
 */

import type { ContentType } from '@plinth/kernel'
import type { SqlModel, ViolationQuery } from './violation-query.ts'

type Types = SqlModel['types']

const componentsTable = (type: ContentType) => `${type.table}_components`

/** The types that may contain components of a type. */
function holdersOf(types: Types, uid: string): ContentType[] {
  return [...types.values()].filter(type =>
    [...type.attributes.values()].some(
      one =>
        (one.kind === 'component' && one.component === uid) || (one.kind === 'zone' && one.components.includes(uid)),
    ),
  )
}

const componentTypes = ({ types }: SqlModel) =>
  [...types.values()].filter(one => one.kind === 'component' && holdersOf(types, one.uid).length > 0)

export function orphans(model: SqlModel): ViolationQuery[] {
  const { types, quote: q } = model
  return componentTypes(model).map(({ uid, table }) => {
    const tests = holdersOf(types, uid).map(
      one =>
        `NOT EXISTS (SELECT 1 FROM ${q(componentsTable(one))} h WHERE h.component_id = c.id AND h.component_type = '${uid}')`,
    )
    return { place: table, sql: `SELECT c.id AS a, NULL AS b FROM ${q(table)} c WHERE ${tests.join(' AND ')}` }
  })
}

export function sharedParents(model: SqlModel): ViolationQuery[] {
  const { types, quote: q } = model
  return componentTypes(model).map(({ uid, table }) => {
    const all = holdersOf(types, uid).map(
      one => `SELECT component_id FROM ${q(componentsTable(one))} WHERE component_type = '${uid}'`,
    )
    const sql = `SELECT h.component_id AS a, NULL AS b FROM (${all.join(' UNION ALL ')}) h GROUP BY h.component_id HAVING COUNT(*) > 1`
    return { place: table, sql }
  })
}

export function lostComponents(model: SqlModel): ViolationQuery[] {
  const { types, quote: q } = model
  return componentTypes(model).flatMap(({ uid, table }) =>
    holdersOf(types, uid).map(one => ({
      place: `${one.table} ${componentsTable(one)} to ${table}`,
      sql: `SELECT h.entity_id AS a, h.component_id AS b FROM ${q(componentsTable(one))} h LEFT JOIN ${q(table)} c ON c.id = h.component_id WHERE h.component_type = '${uid}' AND c.id IS NULL`,
    })),
  )
}

const fieldsOf = ({ types }: SqlModel) =>
  [...types.values()].flatMap(type =>
    [...type.attributes.values()]
      .filter(one => one.kind === 'component' || one.kind === 'zone')
      .map(one => ({ type, table: componentsTable(type), field: one.name, many: one.kind === 'zone' || one.many })),
  )

export function severalInOne(model: SqlModel): ViolationQuery[] {
  const single = fieldsOf(model).filter(one => !one.many)
  return single.map(({ type, table, field }) => ({
    place: `${type.table} ${field}`,
    sql: `SELECT entity_id AS a, NULL AS b FROM ${model.quote(table)} WHERE field = '${field}' GROUP BY entity_id HAVING COUNT(*) > 1`,
  }))
}

export function componentPlaces(model: SqlModel): ViolationQuery[] {
  const order = model.quote('order')
  const isWrong = `COUNT(*) <> COUNT(DISTINCT ${order}) OR MIN(${order}) <> 1 OR MAX(${order}) <> COUNT(*)`
  return fieldsOf(model).map(({ type, table, field }) => ({
    place: `${type.table} ${field}`,
    sql: `SELECT entity_id AS a, NULL AS b FROM ${model.quote(table)} WHERE field = '${field}' GROUP BY entity_id HAVING ${isWrong}`,
  }))
}

/** A list of components may repeat a value within its entry. */
export function doubleComponentValues(model: SqlModel): ViolationQuery[] {
  const { types, quote: q } = model
  return componentTypes(model).flatMap(component =>
    [...component.attributes.values()].flatMap(one => {
      if (one.kind !== 'scalar' || !one.unique) return []
      const all = holdersOf(types, component.uid).map(
        (holder, i) =>
          `SELECT x.${q(one.column)} AS held, x.id AS id, h.entity_id AS owner, ${i} AS kind FROM ${q(component.table)} x JOIN ${q(componentsTable(holder))} h ON h.component_id = x.id AND h.component_type = '${component.uid}' WHERE x.${q(one.column)} IS NOT NULL`,
      )
      const isSeveral = 'COUNT(DISTINCT v.owner) > 1 OR COUNT(DISTINCT v.kind) > 1'
      const sql = `SELECT MIN(v.id) AS a, MAX(v.id) AS b FROM (${all.join(' UNION ALL ')}) v GROUP BY v.held HAVING ${isSeveral}`
      return [{ place: `${component.table} ${one.name}`, sql }]
    }),
  )
}
