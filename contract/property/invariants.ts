/**
 * What must hold in a database after any concurrent writes, as SQL: one statement per invariant, over all tables of the
 * model. Each row that a statement finds is a violation. The statements do not use Plinth's queries.
 */

import type { ContentType } from '@plinth/kernel'
import type { Client, TestDatabase } from '@plinth/test-tools/databases'
import * as components from './component-invariants.ts'
import * as links from './link-invariants.ts'
import * as translations from './translation-invariants.ts'
import type { SqlModel, ViolationQuery } from './violation-query.ts'
import { isLocalized } from './written-types.ts'

type Opened = Awaited<ReturnType<TestDatabase['open']>>

/** A violation of an invariant. */
export interface Violation {
  readonly invariant: string
  /** The table, column or relation. */
  readonly place: string
  /** Ids of the rows, of the table that `place` names first. */
  readonly ids: readonly number[]
}

/** Finds violations, with one statement per invariant. */
export class Invariants {
  readonly #statements: readonly (readonly [invariant: string, sql: string])[]

  constructor(types: Iterable<ContentType>, client: Client) {
    const model: SqlModel = {
      types: new Map([...types].map(one => [one.uid, one])),
      quote: name => (client === 'mysql' ? `\`${name}\`` : `"${name}"`),
      differ: differ[client],
    }
    const queries = Object.entries(invariants).map(([name, query]) => [name, query(model)] as const)
    this.#statements = queries
      .filter(([, list]) => list.length > 0)
      .map(([name, list]) => [name, list.map(union).join(' UNION ALL ')])
  }

  /** The names of all invariants. */
  get names(): string[] {
    return this.#statements.map(([name]) => name)
  }

  async check(database: Opened): Promise<Violation[]> {
    const violations: Violation[] = []
    for (const [invariant, sql] of this.#statements) {
      for (const { place, a, b } of await database.all(sql))
        violations.push({ invariant, place: String(place), ids: [a, b].filter(one => one !== null).map(Number) })
    }
    return violations
  }
}

const differ: Readonly<Record<Client, (left: string, right: string) => string>> = {
  sqlite: (left, right) => `${left} IS NOT ${right}`,
  mysql: (left, right) => `NOT (${left} <=> ${right})`,
  postgres: (left, right) => `${left} IS DISTINCT FROM ${right}`,
}

const union = ({ place, sql }: ViolationQuery) =>
  `SELECT '${place}' AS place, found.a AS a, found.b AS b FROM (${sql}) found`

const invariants: Readonly<Record<string, (model: SqlModel) => ViolationQuery[]>> = {
  'no component without a parent': components.orphans,
  'no component with two parents': components.sharedParents,
  'no link to a component that is gone': components.lostComponents,
  'one component at most in a field for one': components.severalInOne,
  'places of components are 1 to n': components.componentPlaces,
  'no link to an entry that is gone': links.lostLinks,
  'no polymorphic link to an entry that is gone': links.lostMorphs,
  'links are there once': links.doubleLinks,
  'what a relation calls one is one': links.severalOfOne,
  'places of links are unique': links.linkPlaces,
  'places of links on the other side are unique': links.inversePlaces,
  'translations are linked with each other': translations.oneWayTranslations,
  'one translation in a locale': translations.twins,
  'translations share scalar values': translations.sharedScalars,
  'translations share components': translations.sharedComponents,
  'unique values are there once': doubleValues,
  'unique values of components have one owner': components.doubleComponentValues,
  'a single type has one entry': severalSingles,
  'published entries have what is required': incomplete,
}

function doubleValues({ types, quote: q }: SqlModel): ViolationQuery[] {
  return [...types.values()].flatMap(type => {
    if (type.kind === 'component') return []
    const single = [...type.attributes.values()].flatMap(one =>
      one.kind === 'scalar' && one.unique ? [[one.column]] : [],
    )
    return single.map(columns => {
      const list = columns.map(q).join(', ')
      const filled = columns.map(one => `${q(one)} IS NOT NULL`).join(' AND ')
      const sql = `SELECT MIN(id) AS a, MAX(id) AS b FROM ${q(type.table)} WHERE ${filled} GROUP BY ${list} HAVING COUNT(*) > 1`
      return { place: `${type.table} ${columns.join(', ')}`, sql }
    })
  })
}

function severalSingles({ types, quote: q }: SqlModel): ViolationQuery[] {
  const singles = [...types.values()].filter(one => one.kind === 'singleType')
  return singles.map(type => {
    const by = isLocalized(type) ? ' GROUP BY locale' : ''
    const sql = `SELECT MIN(id) AS a, MAX(id) AS b FROM ${q(type.table)}${by} HAVING COUNT(*) > 1`
    return { place: type.table, sql }
  })
}

function incomplete({ types, quote: q }: SqlModel): ViolationQuery[] {
  return [...types.values()].flatMap(type => {
    const published = type.attributes.get('publishedAt')
    if (published?.kind !== 'scalar') return []
    const required = [...type.attributes.values()].flatMap(one => (one.kind === 'scalar' && one.required ? [one] : []))
    return required.map(({ name, column }) => ({
      place: `${type.table} ${name}`,
      sql: `SELECT id AS a, NULL AS b FROM ${q(type.table)} WHERE ${q(published.column)} IS NOT NULL AND ${q(column)} IS NULL`,
    }))
  })
}
