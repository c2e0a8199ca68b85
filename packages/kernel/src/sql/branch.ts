// Compiles the statements of populated branches: they take the parents' ids as one list, and each row ends in its
// parent's id.

import type { RelationAttribute } from '../model/content-type.ts'
import type { Branch, PlanNode, RelationStep } from '../plan/plan.ts'
import { type At, SqlBuilder } from './builder.ts'
import { type CompiledBranch, compileNode } from './compile.ts'
import type { Dialect } from './dialect.ts'
import { guardsOf } from './guard.ts'
import { fromText, type JoinPath } from './join-path.ts'
import { PlainFirst, rowsOfPages } from './plain-first.ts'
import type { Statement } from './statement.ts'

type RowBranch = Extract<Branch, { kind: 'relation' | 'component' }>
type Page = NonNullable<Branch['page']>

/** Compiles one branch of `parent`. */
export function compileBranch(dialect: Dialect, parent: PlanNode, branch: Branch): CompiledBranch {
  switch (branch.kind) {
    case 'relation':
    case 'component': {
      const step: RelationStep = { from: parent.type, attribute: branch.attribute, to: branch.node.type }
      const { page } = branch
      const statement = page === null ? compileRows(dialect, step, branch) : compileRanked(dialect, step, branch, page)
      const plain = page === null ? null : compilePlain(dialect, step, branch, page)
      const child = compileNode(dialect, branch.node)
      if (branch.kind === 'component') return { kind: 'component', plan: branch, child, statement, plain }
      return { kind: 'relation', plan: branch, child, statement, plain }
    }
    case 'zone': {
      const children = branch.nodes.map(node => {
        // In SQL, a zone is one component attribute per component.
        const attribute = { ...branch.attribute, kind: 'component', component: node.type.uid, many: true } as const
        const step: RelationStep = { from: parent.type, attribute, to: node.type }
        return { child: compileNode(dialect, node), statement: compileMembers(dialect, step, node) }
      })
      return { kind: 'zone', plan: branch, children }
    }
    case 'count': {
      const step: RelationStep = { from: parent.type, attribute: branch.attribute, to: branch.node.type }
      return { kind: 'count', plan: branch, statement: compileCount(dialect, step, branch.node) }
    }
    case 'morph': {
      const links = compileMorphLinks(dialect, parent, branch.attribute)
      const children = new Map<string, { child: ReturnType<typeof compileNode>; statement: Statement }>()
      for (const [uid, node] of branch.nodes) {
        children.set(uid, { child: compileNode(dialect, node), statement: compileByIds(dialect, node) })
      }
      return { kind: 'morph', plan: branch, links, children }
    }
    case 'empty':
      return { kind: 'empty', plan: branch }
  }
}

/**
 * The column that holds the parent's id, and the FROM clause of a path. If the parent's table holds the foreign key,
 * that table is joined too.
 */
export function parentsOf(sql: SqlBuilder, step: RelationStep, path: JoinPath) {
  if (path.parentColumn === 'id') return { key: path.sourceColumn, from: fromText(sql.dialect, path, true) }
  const tie = `${path.sourceColumn} = p.${sql.quote(path.parentColumn)}`
  const from = `FROM ${sql.quote(step.from.table)} p ${fromText(sql.dialect, path, true, tie)}`
  return { key: `p.${sql.quote('id')}`, from }
}

/** The parts of a statement that fetches the rows of a branch. */
class BranchRows {
  readonly sql: SqlBuilder
  readonly key: string
  readonly from: string
  readonly columns: readonly string[]
  /** The columns of the stored order. */
  readonly stored: readonly string[]
  readonly #path: JoinPath
  readonly #at: At
  readonly #node: PlanNode

  constructor(dialect: Dialect, step: RelationStep, node: PlanNode) {
    this.sql = new SqlBuilder(dialect, 'all')
    const path = this.sql.reach(step)
    const at = { alias: path.target, id: `${path.target}.${dialect.quote('id')}` }
    const { key, from } = parentsOf(this.sql, step, path)
    this.#path = path
    this.#at = at
    this.#node = node
    this.key = key
    this.from = from
    this.columns = node.columns.map(column => this.sql.selected(at, column))
    this.stored = path.order
  }

  /** Binds values, so it is called where the conditions stand in the text. */
  where(): string {
    const { where } = this.#node
    const guards = this.sql.guardPath(this.#path, { where, visible: null }, true)
    const parts = [...guards, this.sql.amongParents(this.key), ...this.#path.conditions]
    if (where !== null) parts.push(this.sql.test(this.#at, where))
    return parts.join(' AND ')
  }

  /** Binds values, so it is called where the order stands in the text. */
  order(reversed: boolean): string {
    const { order } = this.#node
    if (order.length > 0) return this.sql.order(this.#at, order)
    return this.stored.map(one => (reversed ? `${one} DESC` : one)).join(', ')
  }
}

/** All rows of all parents. */
function compileRows(dialect: Dialect, step: RelationStep, branch: RowBranch): Statement {
  const rows = new BranchRows(dialect, step, branch.node)
  const { sql, columns, key, from } = rows
  const select = `SELECT ${[...columns, key].join(', ')} ${from} WHERE ${rows.where()}`
  // A relation to one finds about as many rows as there are parents.
  if (branch.attribute.many) {
    const order = `${key}, ${rows.order(branch.reversed)}`
    return sql.finish(`${select} ORDER BY ${order}${sql.boundedText()}`)
  }
  return sql.finish(branch.node.order.length > 0 ? `${select} ORDER BY ${rows.order(branch.reversed)}` : select)
}

/** All rows of one type of component in a zone, with the order that all types have in common. */
function compileMembers(dialect: Dialect, step: RelationStep, node: PlanNode): Statement {
  const rows = new BranchRows(dialect, step, node)
  const { sql, columns, stored, key, from } = rows
  const select = `SELECT ${[...columns, ...stored, key].join(', ')} ${from} WHERE ${rows.where()}`
  return sql.finish(`${select} ORDER BY ${key}, ${rows.order(false)}${sql.boundedText()}`)
}

/** Rows are numbered within each parent, so a limit is a limit per parent (B-2.82). */
function compileRanked(dialect: Dialect, step: RelationStep, branch: RowBranch, page: Page): Statement {
  const rows = new BranchRows(dialect, step, branch.node)
  const { sql, columns, key, from } = rows
  const rank = `ROW_NUMBER() OVER (PARTITION BY ${key} ORDER BY ${rows.order(branch.reversed)})`
  const aliasedColumns = columns.map((column, i) => `${column} AS c${i}`)
  const inner = `SELECT ${[...aliasedColumns, `${key} AS pk`].join(', ')}, ${rank} AS rn ${from} WHERE ${rows.where()}`
  const first = sql.bind(values => [values[page.start] as number])
  const last = sql.bind(values => [lastRank(values[page.start] as number, values[page.limit] as number)])
  const parentColumn = [...columns.map((_, i) => `c${i}`), 'pk'].join(', ')
  const paged = `SELECT ${parentColumn} FROM (${inner}) q WHERE rn > ${first} AND rn <= ${last} ORDER BY pk, rn`
  return sql.finish(paged + sql.boundedText())
}

/**
 * The lists of all parents one after the other, up to one row more than all pages have. The parent comes first in the
 * order: else a database could read all links in an order for which there is an index, until the limit is reached.
 */
function compilePlain(dialect: Dialect, step: RelationStep, branch: RowBranch, page: Page): PlainFirst {
  const rows = new BranchRows(dialect, step, branch.node)
  const { sql, columns, key, from } = rows
  const select = `SELECT ${[...columns, key].join(', ')} ${from} WHERE ${rows.where()}`
  const order = `ORDER BY ${key}, ${rows.order(branch.reversed)}`
  sql.bind((values, _, parents) => [dialect.limit(rowsOfPages(page, parents!.length, values) + 1)])
  return new PlainFirst(sql.finish(`${select} ${order} LIMIT ${dialect.limitPlaceholder}`), page)
}

/** A negative limit means no limit. */
function lastRank(start: number, limit: number): number {
  return limit < 0 ? Number.MAX_SAFE_INTEGER : start + limit
}

function compileCount(dialect: Dialect, step: RelationStep, node: PlanNode): Statement {
  const sql = new SqlBuilder(dialect, 'all')
  const path = sql.reach(step)
  const { key, from } = parentsOf(sql, step, path)
  const guards = sql.guardPath(path, { where: node.where, visible: null }, true)
  const parts = [...guards, sql.amongParents(key), ...path.conditions]
  if (node.where !== null)
    parts.push(sql.test({ alias: path.target, id: `${path.target}.${dialect.quote('id')}` }, node.where))
  return sql.finish(`SELECT ${key}, COUNT(*) ${from} WHERE ${parts.join(' AND ')} GROUP BY ${key}`)
}

function compileMorphLinks(dialect: Dialect, parent: PlanNode, attribute: RelationAttribute): Statement {
  const sql = new SqlBuilder(dialect, 'all')
  const q = (name: string) => `m.${dialect.quote(name)}`
  const { storage } = attribute
  if (storage.kind === 'morphs') {
    const select = `SELECT ${q(storage.owner)}, ${q(storage.id)}, ${q(storage.type)} FROM ${dialect.quote(storage.table)} m`
    const where = [
      ...guardsOf(dialect, { alias: 'm', table: null, patterns: 0 }),
      sql.amongParents(q(storage.owner)),
    ].join(' AND ')
    const order = `${q(storage.owner)}, ${q('order')}, ${q('id')}`
    return sql.finish(`${select} WHERE ${where} ORDER BY ${order}${sql.boundedText()}`)
  }
  const select = `SELECT ${q('id')}, ${q('target_id')}, ${q('target_type')} FROM ${dialect.quote(parent.type.table)} m`
  return sql.finish(`${select} WHERE ${sql.amongParents(q('id'))} AND ${q('target_id')} IS NOT NULL`)
}

/** Selects entries of one type by their ids; the id is repeated as the last column. */
function compileByIds(dialect: Dialect, node: PlanNode): Statement {
  const sql = new SqlBuilder(dialect, 'all')
  const at = { alias: 't', id: `t.${dialect.quote('id')}` }
  const columns = [...node.columns.map(column => sql.selected(at, column)), at.id].join(', ')
  const among = [...sql.guard(at, node.type.table, node.where), sql.amongParents(at.id)].join(' AND ')
  const where = node.where === null ? '' : ` AND ${sql.test(at, node.where)}`
  return sql.finish(`SELECT ${columns} FROM ${dialect.quote(node.type.table)} t WHERE ${among}${where}`)
}
