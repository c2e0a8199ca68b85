// Compiles the statements of a list: its entries, its total, and a page that counts by itself.

import type { Order, Plan, PlanNode, RelationStep } from '../plan/plan.ts'
import { type At, SqlBuilder } from './builder.ts'
import type { CountedPages, Dialect } from './dialect.ts'
import { fromText } from './join-path.ts'
import { beyond, type Statement } from './statement.ts'

/** A page whose statement also counts all entries that its filters match. */
export interface CountingPage {
  readonly statement: Statement
  /** The statement of the total, which must be sent in one message after the page; null if each row ends in it. */
  readonly total: string | null
  /** It costs less than a page and a count if the total is not greater. */
  readonly maxTotal: number
}

/** Compiles the statement of the entries of the root. */
export function compileEntries(dialect: Dialect, plan: Plan): Statement {
  return compileRows(dialect, plan, { isSortedFirst: sortsFirst(plan), counts: null })
}

/**
 * Compiles the statement of a page that is found from the end of its list: the start in its values is the number of
 * entries behind the page. Its rows are in the order of the list. `isCounted`: each row ends in the total.
 */
export function compilePageFromEnd(dialect: Dialect, plan: Plan, isCounted: boolean): Statement {
  return compileRows(dialect, plan, { isSortedFirst: true, fromEnd: { isCounted }, counts: null })
}

/**
 * Compiles the statement of a page that also counts. Null if a count of its own costs less: the filters match all
 * entries, or the database cannot, or it would have to read wide rows by id.
 */
export function compileCountingPage(dialect: Dialect, plan: Plan): CountingPage | null {
  const { countedPages: counts } = dialect
  if (counts === null || !isFiltered(plan) || plan.query.page === null) return null
  const isSortedFirst = sortsFirst(plan)
  if (counts.kind === 'column') {
    const statement = compileRows(dialect, plan, { isSortedFirst, counts })
    return { statement, total: null, maxTotal: counts.maxTotal }
  }
  if (plan.root.meta.length > 0 || (isSortedFirst && isById(plan.root.order))) return null
  // A page of sorted ids, which is a subquery, cannot count.
  const statement = compileRows(dialect, plan, { isSortedFirst: false, counts })
  const hasIndex = isIndexed(plan.root)
  return { statement, total: counts.total, maxTotal: hasIndex ? counts.maxTotal : Number.POSITIVE_INFINITY }
}

/** The form of a statement of entries. */
interface RowsForm {
  /** The ids are sorted first, and the rows of the page are fetched then. */
  readonly isSortedFirst: boolean
  /** Set if ids that are sorted first are sorted from the last entry to the first. */
  readonly fromEnd?: { readonly isCounted: boolean }
  /** The way of counting; null if the page does not count. */
  readonly counts: CountedPages | null
}

/** The name of the column of the total in a page of sorted ids. */
const totalName = 'total'

function compileRows(dialect: Dialect, plan: Plan, { isSortedFirst, fromEnd, counts }: RowsForm): Statement {
  const { root, query } = plan
  const sql = new SqlBuilder(dialect, query.id === null ? 'broad' : 'all')
  const table = dialect.quote(root.type.table)
  const at = tableAt(dialect, 't')
  const marks = root.meta.map(member => anyLinked(sql, at, member.step))
  const columns = [...root.columns.map(column => sql.selected(at, column)), ...marks].join(', ')
  const counting = counts?.kind === 'column' ? `, ${counts.text}` : ''
  if (isSortedFirst && query.page !== null) {
    const name = dialect.quote(totalName)
    const count = fromEnd?.isCounted === true ? `, (${sql.hiding('none', () => countText(sql, plan, 'c'))})` : ''
    const inner = tableAt(dialect, 's')
    const where = whereText(sql, inner, root, true)
    const selected = counting === '' ? inner.id : `${inner.id}${counting} AS ${name}`
    const ids = `SELECT ${selected} FROM ${table} s${where} ORDER BY ${sql.order(inner, root.order, fromEnd !== undefined)}`
    const page = `(${ids}${pageText(sql, query.page)}) p`
    const joined = `FROM ${page} ${dialect.straightJoin} ${table} t ON ${at.id} = p.${dialect.quote('id')}`
    const total = counting === '' ? count : `, p.${name}`
    return sql.finish(`SELECT ${columns}${total} ${joined} ORDER BY ${sql.order(at, root.order)}`)
  }
  const where = whereText(sql, at, root, query.id === null)
  // An entry that is read by its id needs no order.
  const order = query.id === null ? ` ORDER BY ${sql.order(at, root.order)}` : ''
  const isEndless = query.page === null && query.action === 'find' && !query.internal && query.ids === null
  const page = query.page === null ? (isEndless ? sql.boundedText() : '') : pageText(sql, query.page)
  const modifier = counts?.kind === 'modifier' ? `${counts.text} ` : ''
  return sql.finish(`SELECT ${modifier}${columns}${counting} FROM ${table} t${where}${order}${page}`)
}

/**
 * Returns whether only the ids are sorted, so that wide rows do not pass through the sorter. Marks cost time for every
 * sorted row; if no filter limits the rows, the page is determined first.
 */
function sortsFirst({ root, query }: Plan): boolean {
  const marksMany = root.meta.length > 0 && query.selection.filters === null
  return query.page !== null && root.order.length > 0 && (isWide(root) || marksMany)
}

/** A few short columns are faster to sort with their keys than to fetch again. */
function isWide(node: PlanNode): boolean {
  return node.columns.length > 4 || node.columns.some(one => one.storage === 'text' || one.storage === 'json')
}

/** Returns whether the caller limits the entries; rules of plugins do not count, because nearly all entries fulfil them. */
function isFiltered({ query }: Plan): boolean {
  return query.selection.filters !== null || query.search !== null
}

function isById(order: readonly Order[]): boolean {
  const [first] = order
  return first === undefined || (first.steps.length === 0 && first.column.storage === 'id')
}

/** Returns whether an index of the model begins with the first key of the order. */
function isIndexed({ order, type }: PlanNode): boolean {
  if (isById(order)) return true
  const { steps, column } = order[0]!
  const attribute = type.attributes.get(column.name)
  if (steps.length > 0 || attribute?.kind !== 'scalar') return false
  return attribute.indexed || attribute.unique || type.indexes.some(({ attributes }) => attributes[0] === column.name)
}

/** Compiles the statement of the total. */
export function compileTotal(dialect: Dialect, plan: Plan): Statement {
  const sql = new SqlBuilder(dialect, 'none')
  return sql.finish(countText(sql, plan, 't'))
}

function countText(sql: SqlBuilder, plan: Plan, alias: string): string {
  const { root } = plan
  // A count that only rules restrict costs next to nothing per entry; a guard would double that.
  const where = whereText(sql, tableAt(sql.dialect, alias), root, isFiltered(plan))
  return `SELECT COUNT(*) FROM ${sql.quote(root.type.table)} ${alias}${where}`
}

function tableAt(dialect: Dialect, alias: string): At {
  return { alias, id: `${alias}.${dialect.quote('id')}` }
}

function whereText(sql: SqlBuilder, at: At, node: PlanNode, isGuarded: boolean): string {
  const parts = isGuarded ? [...sql.guard(at, node.type.table, node.where)] : []
  if (node.where !== null) parts.push(sql.test(at, node.where))
  return parts.length === 0 ? '' : ` WHERE ${parts.join(' AND ')}`
}

function pageText(sql: SqlBuilder, page: { readonly start: number; readonly limit: number }): string {
  const { dialect } = sql
  sql.bind((values, _context, _parents, room) => [dialect.limit(pageLimit(values[page.limit] as number, room))])
  sql.bind(values => [dialect.limit(values[page.start] as number)])
  return ` LIMIT ${dialect.limitPlaceholder} OFFSET ${dialect.limitPlaceholder}`
}

/** The rows that are asked for of a page: all of it, or one row more than there is room for; -1 means no limit. */
function pageLimit(limit: number, room: number): number {
  return limit >= 0 && limit <= room ? limit : beyond(room)
}

/** An expression that is true if an entry has any link, and otherwise 0 or null. */
function anyLinked(sql: SqlBuilder, at: At, step: RelationStep): string {
  const path = sql.reach(step)
  const parentColumn = path.parentColumn === 'id' ? at.id : `${at.alias}.${sql.quote(path.parentColumn)}`
  const from = fromText(sql.dialect, path, false)
  // With further conditions, the subquery would be materialized from all links.
  if (sql.dialect.seeksMembers && path.conditions.length === 0)
    return `${parentColumn} IN (SELECT ${path.sourceColumn} ${from})`
  const where = [`${path.sourceColumn} = ${parentColumn}`, ...path.conditions].join(' AND ')
  return `(SELECT 1 ${from} WHERE ${where} LIMIT 1)`
}
