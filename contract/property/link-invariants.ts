/**
 * Invariants of relations: links refer to entries that exist, and are stored once and in order. Each is a SELECT of
 * violations.
 */

import type { SqlModel, ViolationQuery } from './violation-query.ts'

/** Relations, by the side whose schema defines their tables. */
function relationsOf({ types }: SqlModel) {
  return [...types.values()].flatMap(type =>
    [...type.attributes.values()].flatMap(one =>
      one.kind === 'relation' && one.owner ? [{ type, one, join: one.storage }] : [],
    ),
  )
}

const linksOf = (model: SqlModel) =>
  relationsOf(model).flatMap(({ type, one, join }) => (join.kind === 'links' ? [{ type, one, join }] : []))

export function lostLinks(model: SqlModel): ViolationQuery[] {
  const { types, quote: q } = model
  return linksOf(model).flatMap(({ type, one, join }) => {
    const ends = [
      [join.from, type.table],
      [join.to, types.get(one.target!)!.table],
    ] as const
    return ends.map(([column, table]) => ({
      place: `${join.table}.${column}`,
      sql: `SELECT l.${q(column)} AS a, NULL AS b FROM ${q(join.table)} l LEFT JOIN ${q(table)} e ON e.id = l.${q(column)} WHERE e.id IS NULL`,
    }))
  })
}

export function lostMorphs(model: SqlModel): ViolationQuery[] {
  const { types, quote: q } = model
  const queries: ViolationQuery[] = []
  for (const { type, one, join } of relationsOf(model)) {
    const [table, id, word, owner] =
      join.kind === 'morphs'
        ? [join.table, join.id, join.type, join.owner]
        : join.kind === 'morphColumns'
          ? [type.table, 'target_id', 'target_type', 'id']
          : []
    if (table === undefined) continue
    for (const target of types.values()) {
      if (target.kind === 'component' || !target.uid.startsWith('api::')) continue
      const sql = `SELECT m.${q(owner!)} AS a, m.${q(id!)} AS b FROM ${q(table)} m LEFT JOIN ${q(target.table)} e ON e.id = m.${q(id!)} WHERE m.${q(word!)} = '${target.uid}' AND e.id IS NULL`
      queries.push({ place: `${type.table} ${one.name} to ${target.table}`, sql })
    }
  }
  return queries
}

export function doubleLinks(model: SqlModel): ViolationQuery[] {
  const { quote: q } = model
  const queries = linksOf(model).map(({ type, one, join: { table, from, to } }) => ({
    place: `${type.table} ${one.name}`,
    sql: `SELECT ${q(from)} AS a, ${q(to)} AS b FROM ${q(table)} GROUP BY ${q(from)}, ${q(to)} HAVING COUNT(*) > 1`,
  }))
  for (const { type, one, join } of relationsOf(model)) {
    if (join.kind !== 'morphs') continue
    const columns = `${q(join.owner)}, ${q(join.id)}, ${q(join.type)}`
    const sql = `SELECT ${q(join.owner)} AS a, ${q(join.id)} AS b FROM ${q(join.table)} GROUP BY ${columns} HAVING COUNT(*) > 1`
    queries.push({ place: `${type.table} ${one.name}`, sql })
  }
  return queries
}

export function severalOfOne(model: SqlModel): ViolationQuery[] {
  const { types, quote: q } = model
  const several = (place: string, table: string, column: string): ViolationQuery => ({
    place,
    sql: `SELECT ${q(column)} AS a, NULL AS b FROM ${q(table)} WHERE ${q(column)} IS NOT NULL GROUP BY ${q(column)} HAVING COUNT(*) > 1`,
  })
  return relationsOf(model).flatMap(({ type, one, join }) => {
    const isTaken = one.bidirectional && one.relation.startsWith('oneTo')
    const target = one.target === null ? '' : types.get(one.target)!.table
    const back = `${target} that ${type.table}.${one.name} (${one.relation}) leads to`
    if (join.kind === 'column') return isTaken ? [several(back, type.table, join.column)] : []
    if (join.kind !== 'links') return []
    const own = one.many ? [] : [several(`${type.table} ${one.name} (${one.relation})`, join.table, join.from)]
    return isTaken ? [...own, several(back, join.table, join.to)] : own
  })
}

export function linkPlaces(model: SqlModel): ViolationQuery[] {
  return linksOf(model).flatMap(({ type, one, join }) =>
    join.order === null ? [] : [placesOf(model, `${type.table} ${one.name}`, join.table, [join.from, join.order])],
  )
}

export function inversePlaces(model: SqlModel): ViolationQuery[] {
  return linksOf(model).flatMap(({ type, one, join }) => {
    const place = `${model.types.get(one.target!)!.table} linked by ${type.table}.${one.name}`
    return join.inverseOrder === null ? [] : [placesOf(model, place, join.table, [join.to, join.inverseOrder])]
  })
}

function placesOf(
  { quote: q }: SqlModel,
  place: string,
  table: string,
  [id, order]: readonly [string, string],
): ViolationQuery {
  const sql = `SELECT ${q(id)} AS a, NULL AS b FROM ${q(table)} GROUP BY ${q(id)} HAVING COUNT(*) <> COUNT(DISTINCT ${q(order)})`
  return { place, sql }
}
