// Compiles the members of the `meta` of entries: the statement that fetches the values of all entries, and how those of
// one entry are written.

import type { Calculation } from '../plan/calculation.ts'
import type { MetaMember } from '../plan/plan.ts'
import { parentsOf } from './branch.ts'
import { type At, SqlBuilder } from './builder.ts'
import type { Codec, Dialect } from './dialect.ts'
import type { Statement } from './statement.ts'

/** Writes the raw values of one entry as JSON text. */
export type WriteMeta = (raw: readonly unknown[]) => string

/**
 * The statement of a member. Rows are `[parent id, value]` with one row per linked entry, or one row per parent if a value
 * is calculated; an average is `[parent id, sum, number]`, because databases round quotients differently.
 */
export function compileMeta(dialect: Dialect, member: MetaMember): Statement {
  const sql = new SqlBuilder(dialect, 'all')
  const path = sql.reach(member.step)
  const at = { alias: path.target, id: `${path.target}.${dialect.quote('id')}` }
  const { key, from } = parentsOf(sql, member.step, path)
  const value = member.calculation === null ? sql.selected(at, member.column) : calculated(sql, at, member)
  const guards = sql.guardPath(path, { where: null, visible: member.visible }, true)
  const parts = [...guards, sql.amongParents(key), ...path.conditions]
  if (member.visible !== null) parts.push(sql.test(at, member.visible))
  const select = `SELECT ${key}, ${value} ${from} WHERE ${parts.join(' AND ')}`
  if (member.calculation !== null) return sql.finish(`${select} GROUP BY ${key}`)
  return sql.finish(`${select} ORDER BY ${[key, ...path.order].join(', ')}${sql.boundedText()}`)
}

function calculated(sql: SqlBuilder, at: At, { calculation, column }: MetaMember): string {
  const text = sql.column(at, column)
  switch (calculation) {
    case 'minimum':
    case 'maximum': {
      const least = sql.dialect.extremum(calculation === 'minimum' ? 'MIN' : 'MAX', text, column.storage)
      return column.storage === 'id' ? least : (sql.dialect.codecs[column.storage].select?.(least) ?? least)
    }
    case 'average':
      return `SUM(${text}), COUNT(${text})`
    case 'sum':
      return `SUM(${text})`
    default:
      return `COUNT(${text})`
  }
}

/** Returns the function that writes the values of a member. */
export function metaWriter(dialect: Dialect, { calculation, column }: MetaMember): WriteMeta {
  const codec = column.storage === 'id' ? dialect.codecs.integer : dialect.codecs[column.storage]
  return calculation === null ? listWriter(codec) : valueWriter(calculation, codec)
}

function listWriter(codec: Codec): WriteMeta {
  return raw => `[${raw.filter(one => one !== null).map(one => codec.json(one as never))}]`
}

function valueWriter(calculation: Calculation, codec: Codec): WriteMeta {
  switch (calculation) {
    case 'count':
    case 'sum':
      return ([value = 0]) => JSON.stringify(Number(value ?? 0))
    case 'average':
      return ([sum = null, count = 0]) => (sum === null ? 'null' : JSON.stringify(Number(sum) / Number(count)))
    default:
      return ([value = null]) => (value === null ? 'null' : codec.json(value as never))
  }
}
