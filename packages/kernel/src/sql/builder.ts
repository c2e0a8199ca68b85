// Builds the text of one SQL statement: conditions and order, with the binders of their values in the order of the
// text.

import type { Operand } from '../plan/operand.ts'
import type { Column, Order, RelationStep, Test } from '../plan/plan.ts'
import type { Bound, Dialect } from './dialect.ts'
import { guardsOf, joinTests, patternsIn, testsIn } from './guard.ts'
import { Aliases, fromText, type JoinedTable, type JoinPath, joinPath } from './join-path.ts'
import { castPerRequest, castSent, encodePerRequest, encoderOf, isGiven, rememberLast, testsOf } from './operand.ts'
import { type Binder, beyond, operandValue, type Statement } from './statement.ts'

/**
 * The address of a node's columns: the alias of its table, and its id, which a link table may contain without the
 * node's table.
 */
export interface At {
  readonly alias: string
  readonly id: string
}

/**
 * Maximum number of tables of a statement, and of tests of each, for which small tables may be visited without a check
 * of the clock.
 */
const maxTables = 4
const maxTests = 5

/**
 * The rules whose columns are hidden from the choice of indexes. `broad`: for a list, which is read in its order unless
 * few entries fulfil a rule. `all`: for a branch, which begins at its parents, and for an entry, which is found by its
 * id. `none`: for a total, which may use any.
 */
export type HiddenRules = 'all' | 'broad' | 'none'

/** The tests on the target of a path. */
interface TargetTests {
  readonly where: Test | null
  readonly visible: Test | null
  readonly isOnce?: boolean
}

/** Builds one statement. Methods that return text must be called in the order of that text in the statement. */
export class SqlBuilder {
  readonly dialect: Dialect
  readonly aliases = new Aliases()
  readonly #binders: Binder[] = []
  readonly #valueChecks = { sent: [] as Binder[], perRequest: [] as Binder[] }
  #isPerRequest = false
  #isBounded = false
  #visitedOnce = 0
  /** True inside a rule whose columns are hidden from the optimizer's choice of indexes. */
  #isHidden = false
  #hiddenRules: HiddenRules

  constructor(dialect: Dialect, hiddenRules: HiddenRules) {
    this.dialect = dialect
    this.#hiddenRules = hiddenRules
  }

  quote(name: string): string {
    return this.dialect.quote(name)
  }

  column(at: At, column: Column): string {
    if (column.storage === 'id') return at.id
    const name = `${at.alias}.${this.quote(column.column)}`
    return this.#isHidden ? this.dialect.unindexedRule(name) : name
  }

  /** The column, wrapped for selection if its codec requires it. */
  selected(at: At, column: Column): string {
    const text = this.column(at, column)
    const codec = column.storage === 'id' ? undefined : this.dialect.codecs[column.storage]
    return codec?.select?.(text) ?? text
  }

  /** Returns what `write` returns, with other rules hidden in it than in the rest of the statement. */
  hiding(rules: HiddenRules, write: () => string): string {
    const before = this.#hiddenRules
    this.#hiddenRules = rules
    const text = write()
    this.#hiddenRules = before
    return text
  }

  bind(binder: Binder): string {
    this.#binders.push(binder)
    return '?'
  }

  /**
   * The LIMIT of a statement whose number of rows the query does not limit: one row more than there is room for, which
   * tells that there are too many. If there is an order, it must begin with what the statement seeks rows by: else a
   * database could read all rows in an order for which there is an index.
   */
  boundedText(): string {
    this.#isBounded = true
    this.bind((_values, _context, _parents, room) => [this.dialect.limit(beyond(room))])
    return ` LIMIT ${this.dialect.limitPlaceholder}`
  }

  /** The condition that `expression` is the id of one of the parents whose branches are fetched. */
  amongParents(expression: string): string {
    this.#binders.push((_values, _context, parents) => [this.dialect.list(parents!)])
    return this.dialect.within(expression)
  }

  test(at: At, test: Test): string {
    switch (test.op) {
      case 'and':
      case 'or':
        return `(${joinTests(
          this.dialect,
          test.op,
          test.of,
          test.of.map(one => this.test(at, one)),
        )})`
      case 'not':
        return test.of.op === 'linked' ? `NOT ${this.#exists(at, test.of)}` : `NOT (${this.test(at, test.of)})`
      case 'rule': {
        const before = this.#isHidden
        this.#isHidden = this.#hiddenRules === 'all' || (this.#hiddenRules === 'broad' && !test.isNarrow)
        const text = this.test(at, test.of)
        this.#isHidden = before
        return text
      }
      case 'given': {
        const { operands } = test
        for (const operand of operands) this.#noteRequest(operand)
        this.#binders.push((values, context) => [operands.every(one => isGiven(one, values, context)) ? 1 : 0])
        return `${this.dialect.number} = 1`
      }
      case 'constant':
        return test.value ? '1 = 1' : '1 = 0'
      case 'null':
        return `${this.column(at, test.column)} IS ${test.isNull ? '' : 'NOT '}NULL`
      case 'compare':
        return this.#compare(at, test)
      case 'custom': {
        const { operand, encode } = test
        const bound = 'slot' in operand ? encode : encodePerRequest(encode)
        this.#bindOperand(operand, (values, context) => [bound(operandValue(operand, values, context)) as Bound])
        return `(${test.sql(this.column(at, test.column))})`
      }
      case 'linked':
        return this.#linked(at, test)
    }
  }

  #compare(at: At, test: Extract<Test, { op: 'compare' }>): string {
    const { comparison, operand, cast, column } = test
    const encode = encoderOf(this.dialect, column)
    const canonical = 'slot' in operand ? castSent(cast) : castPerRequest(comparison, cast)
    const tests = testsOf(this.dialect, column)
    const convert = (value: unknown) => tests.operands(comparison, canonical(value), column.storage, encode)
    this.#bindOperand(operand, rememberLast(operand, convert))
    return tests.compare(comparison, this.column(at, column), column.storage)
  }

  #bindOperand(operand: Operand, binder: Binder): void {
    this.#noteRequest(operand)
    this.#binders.push(binder)
    if ('slot' in operand || operand.isConstant === true) this.#valueChecks.sent.push(binder)
    else if (operand.check !== undefined) this.#valueChecks.perRequest.push(binder)
  }

  /** Records whether an operand has another value for each request. */
  #noteRequest(operand: Operand): void {
    if ('perRequest' in operand && operand.isConstant !== true) this.#isPerRequest = true
  }

  /** A semi-join: databases can execute it from either side, and no row is returned twice. */
  #linked(at: At, test: Extract<Test, { op: 'linked' }>): string {
    const path = joinPath(this.dialect, this.aliases, test.step)
    const needsTarget = usesTarget(test.where) || usesTarget(test.visible)
    const target = { alias: path.target, id: needsTarget ? `${path.target}.${this.quote('id')}` : path.targetId }
    const isOpen = path.conditions.length === 0 && test.where === null && test.visible === null
    const parentColumn = path.parentColumn === 'id' ? at.id : `${at.alias}.${this.quote(path.parentColumn)}`
    // If a rule does not choose the rows, they are found without it, and it is tested for those few.
    const isTested = this.#isHidden && this.dialect.listsMembers
    const parts = isTested
      ? [...this.guardPath(path, test, needsTarget), `${path.sourceColumn} = ${parentColumn}`, ...path.conditions]
      : isOpen
        ? []
        : [...this.guardPath(path, { ...test, isOnce: true }, needsTarget), ...path.conditions]
    if (test.where !== null) parts.push(this.test(target, test.where))
    if (test.visible !== null) parts.push(this.test(target, test.visible))
    const where = parts.length === 0 ? '' : ` WHERE ${parts.join(' AND ')}`
    const from = fromText(this.dialect, path, needsTarget)
    const text = isTested
      ? `EXISTS (SELECT 1 ${from}${where})`
      : `${parentColumn} IN (SELECT ${path.sourceColumn} ${from}${where})`
    if (!test.orMissing) return text
    return `(${text} OR NOT ${this.#exists(at, { ...test, where: null })})`
  }

  #exists(at: At, test: Extract<Test, { op: 'linked' }>): string {
    const path = joinPath(this.dialect, this.aliases, test.step)
    const target = { alias: path.target, id: `${path.target}.${this.quote('id')}` }
    const parentColumn = path.parentColumn === 'id' ? at.id : `${at.alias}.${this.quote(path.parentColumn)}`
    const parts = [...this.guardPath(path, test, true), `${path.sourceColumn} = ${parentColumn}`, ...path.conditions]
    if (test.where !== null) parts.push(this.test(target, test.where))
    if (test.visible !== null) parts.push(this.test(target, test.visible))
    return `EXISTS (SELECT 1 ${fromText(this.dialect, path, true)} WHERE ${parts.join(' AND ')})`
  }

  /** The conditions by which a statement can be stopped while it visits the rows of a node's table. */
  guard(at: At, table: string, where: Test | null): readonly string[] {
    const visited = this.#visitOnce(table, where)
    return guardsOf(this.dialect, { alias: at.alias, table: visited, patterns: patternsIn(where) })
  }

  /** Allows this only for a few tables with a few tests, since all of them together must not take long. */
  #visitOnce(table: string, where: Test | null): string | null {
    if (testsIn(where) > maxTests || this.#visitedOnce >= maxTables) return null
    this.#visitedOnce++
    return table
  }

  /**
   * The same for the tables of a path, including the target's if it is tested and the optimizer may start at it.
   * `isOnce`: the path is followed once, and not for each row of another table.
   */
  guardPath(path: JoinPath, { where, visible, isOnce = false }: TargetTests, hasTarget: boolean): readonly string[] {
    const patterns = patternsIn(where) + patternsIn(visible)
    const isShort = isOnce && testsIn(visible) <= 1
    const [first, target] = path.joins as readonly [JoinedTable, JoinedTable | undefined]
    const visit = (joined: JoinedTable, count: number, test: Test | null) => {
      const table = isShort && count === 0 ? this.#visitOnce(joined.table, test) : null
      return guardsOf(this.dialect, { alias: joined.alias, table, patterns: count })
    }
    if (target === undefined) return visit(first, patterns, where)
    const isTested = hasTarget && (usesTarget(where) || usesTarget(visible))
    return isTested ? [...visit(first, 0, null), ...visit(target, patterns, where)] : visit(first, 0, null)
  }

  /** The keys of an order, followed by the id so that pages are stable. `isReversed`: the last entry comes first. */
  order(at: At, keys: readonly Order[], isReversed = false): string {
    const parts = keys.map(key => directed(this.#sortKey(at, key), key.descending !== isReversed))
    if (!keys.some(key => key.steps.length === 0 && key.column.storage === 'id'))
      parts.push(directed(at.id, isReversed))
    return parts.join(', ')
  }

  /** Over a to-many relation the least or greatest value decides, so that an entry occurs once (B-2.23). */
  #sortKey(at: At, key: Order): string {
    if (key.steps.length === 0) return this.column(at, key.column)
    const paths = key.steps.map(({ step }) => joinPath(this.dialect, this.aliases, step))
    const last = paths.at(-1)!
    const own = (path: JoinPath): At => ({ alias: path.target, id: `${path.target}.${this.quote('id')}` })
    const parentColumnOf = (i: number) => {
      const parent = i === 0 ? at : own(paths[i - 1]!)
      return paths[i]!.parentColumn === 'id' ? parent.id : `${parent.alias}.${this.quote(paths[i]!.parentColumn)}`
    }
    const which = key.descending ? 'MAX' : 'MIN'
    const value = this.dialect.extremum(which, this.column(own(last), key.column), key.column.storage)
    const tables = paths.map((path, i) =>
      fromText(this.dialect, path, true, i === 0 ? null : `${path.sourceColumn} = ${parentColumnOf(i)}`),
    )
    const guards = paths.flatMap((path, i) => this.guardPath(path, { where: null, ...key.steps[i]! }, true))
    const parts = [
      ...guards,
      `${paths[0]!.sourceColumn} = ${parentColumnOf(0)}`,
      ...paths.flatMap(path => path.conditions),
    ]
    for (const [i, { visible }] of key.steps.entries()) {
      if (visible !== null) parts.push(this.test(own(paths[i]!), visible))
    }
    return `(SELECT ${value} ${tables.join(' ')} WHERE ${parts.join(' AND ')})`
  }

  /** The path of a step, for statements that start at its target. */
  reach(step: RelationStep): JoinPath {
    return joinPath(this.dialect, this.aliases, step)
  }

  finish(text: string): Statement {
    return {
      text: this.dialect.finish(text),
      binders: this.#binders,
      isPerRequest: this.#isPerRequest,
      isBounded: this.#isBounded,
      valueChecks: this.#valueChecks,
    }
  }
}

function directed(key: string, isDescending: boolean): string {
  return isDescending ? `${key} DESC` : key
}

function usesTarget(test: Test | null): boolean {
  if (test === null) return false
  switch (test.op) {
    case 'and':
    case 'or':
      return test.of.some(usesTarget)
    case 'not':
    case 'rule':
      return usesTarget(test.of)
    case 'constant':
    case 'given':
      return false
    case 'linked':
      return test.step.attribute.kind === 'relation' && test.step.attribute.storage.kind === 'column'
    default:
      return test.column.storage !== 'id'
  }
}
