// Determines join paths: the tables by which SQL gets from the rows of one type to those of another.

import type { ContentType, RelationStorage } from '../model/content-type.ts'
import { componentsTable } from '../model/naming.ts'
import type { RelationStep } from '../plan/plan.ts'
import type { Dialect } from './dialect.ts'

/** A table of a path, with the condition that joins it to the preceding one. */
export interface JoinedTable {
  readonly table: string
  readonly alias: string
  /** Null for the first table. */
  readonly on: string | null
}

/** The path of one step. */
export interface JoinPath {
  readonly joins: readonly JoinedTable[]
  /** Column of the first table that equals `<parent>.<parentColumn>`. */
  readonly sourceColumn: string
  readonly parentColumn: string
  /** Alias of the target's table. */
  readonly target: string
  /** The target's id; read from the link, if that has it, and not from the target's table. */
  readonly targetId: string
  /** Constant conditions on the link. */
  readonly conditions: readonly string[]
  /** The stored order of the targets of one parent. */
  readonly order: readonly string[]
}

/** Numbers the aliases of one statement. */
export class Aliases {
  #next = 0
  next(prefix: string): string {
    return `${prefix}${this.#next++}`
  }
}

/** A constant of the registry as an SQL literal. */
export function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}

/** The path of a step. */
export function joinPath(dialect: Dialect, aliases: Aliases, step: RelationStep): JoinPath {
  const { attribute, from, to } = step
  const target = aliases.next('t')
  const q = (alias: string, column: string) => `${alias}.${dialect.quote(column)}`
  const id = q(target, 'id')
  if (attribute.kind === 'component') {
    const link = aliases.next('l')
    return {
      joins: [
        { table: componentsTable(from.table), alias: link, on: null },
        { table: to.table, alias: target, on: `${id} = ${q(link, 'component_id')}` },
      ],
      sourceColumn: q(link, 'entity_id'),
      parentColumn: 'id',
      target,
      targetId: q(link, 'component_id'),
      conditions: [
        `${dialect.unindexed(q(link, 'field'))} = ${literal(attribute.name)}`,
        `${dialect.unindexed(q(link, 'component_type'))} = ${literal(to.uid)}`,
      ],
      order: [q(link, 'order'), q(link, 'id')],
    }
  }
  return joinRelation(dialect, aliases, attribute.storage, attribute.name, from, to, target)
}

function joinRelation(
  dialect: Dialect,
  aliases: Aliases,
  join: RelationStorage,
  name: string,
  from: ContentType,
  to: ContentType,
  target: string,
): JoinPath {
  const q = (alias: string, column: string) => `${alias}.${dialect.quote(column)}`
  const id = q(target, 'id')
  const direct = { joins: [{ table: to.table, alias: target, on: null }], target, targetId: id, order: [id] }
  switch (join.kind) {
    case 'links': {
      const link = aliases.next('l')
      const to_ = q(link, join.to)
      return {
        joins: [
          { table: join.table, alias: link, on: null },
          { table: to.table, alias: target, on: `${id} = ${to_}` },
        ],
        sourceColumn: q(link, join.from),
        parentColumn: 'id',
        target,
        targetId: to_,
        conditions: [],
        order: join.order === null ? [q(link, 'id')] : [q(link, join.order), q(link, 'id')],
      }
    }
    case 'column':
      return { ...direct, sourceColumn: id, parentColumn: join.column, conditions: [] }
    case 'inverseColumn':
      return { ...direct, sourceColumn: q(target, join.column), parentColumn: 'id', conditions: [] }
    case 'inverseMorphColumns':
      return {
        ...direct,
        sourceColumn: q(target, 'target_id'),
        parentColumn: 'id',
        conditions: [`${q(target, 'target_type')} = ${literal(from.uid)}`],
      }
    case 'inverseMorphs': {
      const link = aliases.next('l')
      return {
        joins: [
          { table: join.table, alias: link, on: null },
          { table: to.table, alias: target, on: `${id} = ${q(link, join.owner)}` },
        ],
        sourceColumn: q(link, join.id),
        parentColumn: 'id',
        target,
        targetId: q(link, join.owner),
        conditions: [`${q(link, join.type)} = ${literal(from.uid)}`, `${q(link, 'field')} = ${literal(name)}`],
        order: [q(link, 'order'), q(link, 'id')],
      }
    }
    default:
      throw new Error(`${from.uid}.${name} has no fixed target`)
  }
}

/**
 * The text `FROM … JOIN …` of a path. Without `withTarget`, the target's table is omitted if the link is sufficient.
 * `tie` joins the first table to preceding tables.
 */
export function fromText(dialect: Dialect, path: JoinPath, withTarget: boolean, tie: string | null = null): string {
  const joins = withTarget || path.joins.length === 1 ? path.joins : path.joins.slice(0, 1)
  const texts = joins.map(({ table, alias, on }, i) => {
    const condition = i === 0 ? tie : on
    const name = `${dialect.quote(table)} ${alias}`
    return condition === null ? `FROM ${name}` : `JOIN ${name} ON ${condition}`
  })
  return texts.join(' ')
}
