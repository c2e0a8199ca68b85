// How SQL gets from the rows of one type to those of another: the tables between them, and the two ends.

import type { ContentType, Join } from '../model/content-type.ts'
import { componentsTable } from '../model/naming.ts'
import type { Step } from '../plan/plan.ts'
import type { Dialect } from './dialect.ts'

/** A table on the way, tied to what stands before it. */
export interface Leg {
  readonly table: string
  readonly alias: string
  /** Null for the first. */
  readonly on: string | null
}

/** The way of one step. */
export interface Reach {
  readonly legs: readonly Leg[]
  /** Column of the near end that equals `<parent>.<outer>`. */
  readonly near: string
  readonly outer: string
  /** Alias of the target's table. */
  readonly target: string
  /** The target's id, without its table where the link knows it. */
  readonly targetId: string
  /** Constant conditions on the link. */
  readonly fixed: readonly string[]
  /** Stored order of the targets of one parent. */
  readonly order: readonly string[]
}

/** Numbers aliases within one statement. */
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

/** The way through a step. */
export function reach(dialect: Dialect, aliases: Aliases, step: Step): Reach {
  const { attribute, from, to } = step
  const target = aliases.next('t')
  const q = (alias: string, column: string) => `${alias}.${dialect.quote(column)}`
  const id = q(target, 'id')
  if (attribute.kind === 'component') {
    const link = aliases.next('l')
    return {
      legs: [
        { table: componentsTable(from.table), alias: link, on: null },
        { table: to.table, alias: target, on: `${id} = ${q(link, 'component_id')}` },
      ],
      near: q(link, 'entity_id'),
      outer: 'id',
      target,
      targetId: q(link, 'component_id'),
      fixed: [
        `${dialect.unindexed(q(link, 'field'))} = ${literal(attribute.name)}`,
        `${dialect.unindexed(q(link, 'component_type'))} = ${literal(to.uid)}`,
      ],
      order: [q(link, 'order'), q(link, 'id')],
    }
  }
  return reachRelation(dialect, aliases, attribute.join, attribute.name, from, to, target)
}

function reachRelation(
  dialect: Dialect,
  aliases: Aliases,
  join: Join,
  name: string,
  from: ContentType,
  to: ContentType,
  target: string,
): Reach {
  const q = (alias: string, column: string) => `${alias}.${dialect.quote(column)}`
  const id = q(target, 'id')
  const direct = { legs: [{ table: to.table, alias: target, on: null }], target, targetId: id, order: [id] }
  switch (join.via) {
    case 'links': {
      const link = aliases.next('l')
      const to_ = q(link, join.to)
      return {
        legs: [
          { table: join.table, alias: link, on: null },
          { table: to.table, alias: target, on: `${id} = ${to_}` },
        ],
        near: q(link, join.from),
        outer: 'id',
        target,
        targetId: to_,
        fixed: [],
        order: join.order === null ? [q(link, 'id')] : [q(link, join.order), q(link, 'id')],
      }
    }
    case 'column':
      return { ...direct, near: id, outer: join.column, fixed: [] }
    case 'inverseColumn':
      return { ...direct, near: q(target, join.column), outer: 'id', fixed: [] }
    case 'inverseMorphColumns':
      return {
        ...direct,
        near: q(target, 'target_id'),
        outer: 'id',
        fixed: [`${q(target, 'target_type')} = ${literal(from.uid)}`],
      }
    case 'inverseMorphs': {
      const link = aliases.next('l')
      return {
        legs: [
          { table: join.table, alias: link, on: null },
          { table: to.table, alias: target, on: `${id} = ${q(link, join.owner)}` },
        ],
        near: q(link, join.id),
        outer: 'id',
        target,
        targetId: q(link, join.owner),
        fixed: [`${q(link, join.type)} = ${literal(from.uid)}`, `${q(link, 'field')} = ${literal(name)}`],
        order: [q(link, 'order'), q(link, 'id')],
      }
    }
    default:
      throw new Error(`${from.uid}.${name} has no fixed target`)
  }
}

/**
 * `FROM … JOIN …` of the legs; without the target's own table where the link says all that is needed. `tie` joins the
 * first leg to tables named before.
 */
export function fromText(dialect: Dialect, way: Reach, withTarget: boolean, tie: string | null = null): string {
  const legs = withTarget || way.legs.length === 1 ? way.legs : way.legs.slice(0, 1)
  const texts = legs.map(({ table, alias, on }, i) => {
    const condition = i === 0 ? tie : on
    const name = `${dialect.quote(table)} ${alias}`
    return condition === null ? `FROM ${name}` : `JOIN ${name} ON ${condition}`
  })
  return texts.join(' ')
}
