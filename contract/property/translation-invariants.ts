/**
 * Invariants of translations: all are linked with each other, there is one per locale, and shared attributes are equal.
 * Each is a SELECT of violations.
 */

import type { ContentType } from '@plinth/kernel'
import type { SqlModel, ViolationQuery } from './violation-query.ts'
import { isLocalized, isShared } from './written-types.ts'

/** The localized types, with a FROM clause of their links: `a` is linked to `b`. */
function pairsOf({ types, quote: q }: SqlModel) {
  return [...types.values()].filter(isLocalized).map(type => {
    const { storage: join } = type.attributes.get('localizations') as {
      storage: { table: string; from: string; to: string }
    }
    const { table } = type
    const pairs = `FROM ${q(join.table)} l JOIN ${q(table)} a ON a.id = l.${q(join.from)} JOIN ${q(table)} b ON b.id = l.${q(join.to)}`
    return { type, join, pairs }
  })
}

export function oneWayTranslations(model: SqlModel): ViolationQuery[] {
  const { quote: q } = model
  return pairsOf(model).flatMap(({ type, join: { table, from, to } }) => {
    const linked = (left: string, right: string) =>
      `EXISTS (SELECT 1 FROM ${q(table)} r WHERE r.${q(from)} = ${left} AND r.${q(to)} = ${right})`
    const [own, other] = [`l.${q(from)}`, `l.${q(to)}`]
    const oneWay = `SELECT ${own} AS a, ${other} AS b FROM ${q(table)} l WHERE NOT ${linked(other, own)}`
    const third = `m.${q(to)}`
    const apart = `SELECT ${other} AS a, ${third} AS b FROM ${q(table)} l JOIN ${q(table)} m ON m.${q(from)} = ${own} AND ${third} <> ${other} WHERE NOT ${linked(other, third)}`
    return [oneWay, apart].map(sql => ({ place: type.table, sql }))
  })
}

export function twins(model: SqlModel): ViolationQuery[] {
  return pairsOf(model).map(({ type, pairs }) => ({
    place: type.table,
    sql: `SELECT a.id AS a, b.id AS b ${pairs} WHERE a.locale = b.locale`,
  }))
}

export function sharedScalars(model: SqlModel): ViolationQuery[] {
  return pairsOf(model).flatMap(({ type, pairs }) =>
    [...type.attributes.values()].flatMap(one => {
      if (one.kind !== 'scalar' || !isShared(one) || one.type === 'json') return []
      const [left, right] = [`a.${model.quote(one.column)}`, `b.${model.quote(one.column)}`]
      return [
        {
          place: `${type.table} ${one.name}`,
          sql: `SELECT a.id AS a, b.id AS b ${pairs} WHERE ${model.differ(left, right)}`,
        },
      ]
    }),
  )
}

/** Two rows that are compared: the FROM clause of both, and the columns by which their components are found. */
interface Pair {
  readonly from: string
  readonly type: ContentType
  readonly left: string
  readonly right: string
  readonly place: string
  readonly depth: number
}

/** Translations are linked both ways, so a component that only one of them has is found from its side. */
export function sharedComponents(model: SqlModel): ViolationQuery[] {
  return pairsOf(model).flatMap(({ type, pairs }) => {
    const pair = { from: pairs, type, left: 'a', right: 'b', place: type.table, depth: 0 }
    const fields = [...type.attributes.values()].filter(isShared).map(one => one.name)
    return compare(model, pair, fields)
  })
}

function compare(
  model: SqlModel,
  { from, type, left, right, place, depth }: Pair,
  fields: readonly string[],
): ViolationQuery[] {
  const { types, quote: q } = model
  const queries: ViolationQuery[] = []
  for (const name of fields) {
    const one = type.attributes.get(name)!
    if (one.kind !== 'component' && one.kind !== 'zone') continue
    const table = q(`${type.table}_components`)
    const [held, other] = [`h${depth}`, `o${depth}`]
    const on = `${held}.entity_id = ${left}.id AND ${held}.field = '${name}'`
    const same = ['field', 'component_type', 'order']
      .map(column => `${other}.${q(column)} = ${held}.${q(column)}`)
      .join(' AND ')
    const both = `${from} JOIN ${table} ${held} ON ${on} LEFT JOIN ${table} ${other} ON ${other}.entity_id = ${right}.id AND ${same}`
    const at = `${place} ${name}`
    queries.push({ place: at, sql: `SELECT a.id AS a, b.id AS b ${both} WHERE ${other}.id IS NULL` })
    for (const uid of one.kind === 'zone' ? one.components : [one.component]) {
      const component = types.get(uid)!
      const [x, y] = [`x${depth}`, `y${depth}`]
      const rows = q(component.table)
      const inside = `${both} JOIN ${rows} ${x} ON ${x}.id = ${held}.component_id AND ${held}.component_type = '${uid}' JOIN ${rows} ${y} ON ${y}.id = ${other}.component_id`
      const scalars = [...component.attributes.values()].flatMap(part => (part.kind === 'scalar' ? [part.column] : []))
      const differing = scalars.map(column => model.differ(`${x}.${q(column)}`, `${y}.${q(column)}`))
      if (differing.length > 0)
        queries.push({ place: at, sql: `SELECT a.id AS a, b.id AS b ${inside} WHERE ${differing.join(' OR ')}` })
      const pair = { from: inside, type: component, left: x, right: y, place: at, depth: depth + 1 }
      queries.push(...compare(model, pair, [...component.attributes.keys()]))
    }
  }
  return queries
}
