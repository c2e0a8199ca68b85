// Resolves names to columns, steps and tests. Names that do not exist and names that the caller may not use fail here,
// with the same message.

import { invalidParameter, UsageError, type ValidationError } from '../errors.ts'
import type { ComponentAttribute, ContentType, RelationAttribute, ScalarAttribute } from '../model/content-type.ts'
import { conversionFault } from '../model/divergence.ts'
import { suggestion } from '../nearest.ts'
import type { Comparison, Operator } from '../query/operators.ts'
import { located, refusedName } from '../query/place.ts'
import type { Predicate } from '../query/query.ts'
import { castOf } from './cast.ts'
import type { NodeOpener, OpenNode } from './open-node.ts'
import type { Operand } from './operand.ts'
import type { Column, RelationStep, Test } from './plan.ts'

export const idColumn: Column = Object.freeze({ table: '', name: 'id', column: 'id', storage: 'id' })

/** The column of a scalar attribute of a type. */
export function scalarColumn({ table }: ContentType, attribute: ScalarAttribute): Column {
  return { table, name: attribute.name, column: attribute.column, storage: attribute.scalar.storage }
}

/** The column of `id` or of a scalar, for code that may read everything. Throws UsageError if there is none. */
export function columnOf(type: ContentType, name: string): Column {
  if (name === 'id') return idColumn
  const attribute = type.attributes.get(name)
  if (attribute?.kind === 'scalar') return scalarColumn(type, attribute)
  throw new UsageError(
    'PLINTH_ATTRIBUTE_UNKNOWN',
    `${type.uid} has no scalar attribute "${name}"${suggestion(name, type.attributes.keys())}`,
  )
}

/** The step through a relation or component, for code that may read everything. Throws UsageError if there is none. */
export function stepOf(scope: NodeOpener, type: ContentType, name: string): RelationStep {
  const attribute = type.attributes.get(name)
  const step = attribute === undefined ? null : openStep(scope, type, attribute)
  if (step === null)
    throw new UsageError(
      'PLINTH_ATTRIBUTE_UNKNOWN',
      `${type.uid} has no relation "${name}"${suggestion(name, type.attributes.keys())}`,
    )
  return step
}

/** The step through an attribute; null for scalars, zones and relations without a fixed target. */
export function openStep(
  scope: NodeOpener,
  from: ContentType,
  attribute: { readonly kind: string },
): RelationStep | null {
  if (attribute.kind === 'component') {
    const component = attribute as ComponentAttribute
    return { from, attribute: component, to: scope.registry.require(component.component) }
  }
  if (attribute.kind !== 'relation') return null
  const relation = attribute as RelationAttribute
  return relation.target === null ? null : { from, attribute: relation, to: scope.registry.require(relation.target) }
}

/**
 * The column of `id` or of a scalar that a caller named at `path`. Unknown, private and hidden ones throw the same
 * error.
 */
export function readableColumn(node: OpenNode, name: string, path: string): Column {
  if (name === 'id') return idColumn
  const attribute = node.type.attributes.get(name)
  if (attribute?.kind !== 'scalar' || !node.isReadable(attribute)) throw refusedIn(node, name, path)
  return scalarColumn(node.type, attribute)
}

/** The same, for a column that values or other rows are compared with. */
export function comparableColumn(scope: NodeOpener, node: OpenNode, name: string, path: string): Column {
  const column = readableColumn(node, name, path)
  const attribute = node.type.attributes.get(name)
  if (attribute?.kind !== 'scalar') return column
  const fault = conversionFault(scope.registry.divergence, attribute)
  if (fault !== null) throw refusedName(name, path, `Invalid parameter ${name}: it cannot be compared: ${fault}`)
  return column
}

/**
 * The 400 for a name in a node. For code that may read everything it has the nearest name. Callers learn no names, as in v4,
 * unless names that mean nothing are refused by their place and the nearest one; then it is one that they may read.
 */
function refusedIn(node: OpenNode, name: string, path: string): ValidationError {
  if (node.query.internal) return invalidParameter(name, path, suggestion(name, node.type.attributes.keys()))
  if (node.query.refusesUnknown === true) {
    const readable = [...node.type.attributes.values()].filter(one => node.isReadable(one)).map(one => one.name)
    const near = suggestion(name, readable)
    return refusedName(name, path, `Invalid parameter ${name}${near}`).withReason(() => whyRefused(node, name, path))
  }
  return invalidParameter(name, path).withReason(() => whyRefused(node, name, path))
}

/** `filters: no attribute "titel", did you mean "title"?`. */
function whyRefused({ type }: OpenNode, name: string, path: string): string {
  const clause = path.endsWith(`.${name}`) ? path.slice(0, -name.length - 1) : path
  const attribute = type.attributes.get(name)
  if (attribute === undefined) return `${clause}: no attribute "${name}"${suggestion(name, type.attributes.keys())}`
  return `${clause}: attribute "${name}" ${attribute.private ? 'is private' : 'is hidden from the caller, or not a scalar'}`
}

/** A step that a caller named. */
interface ReadableStep {
  readonly name: string
  readonly path: string
  readonly via: 'filter' | 'sort'
}

/**
 * The step that a caller's filter or sort key takes. Zones and some attributes of plugins cannot be crossed
 * (service.md 4.3, its second and third rule).
 */
export function readableStep(scope: NodeOpener, node: OpenNode, { name, path, via }: ReadableStep): RelationStep {
  const attribute = node.type.attributes.get(name)
  if (attribute === undefined || !node.isReadable(attribute)) throw refusedIn(node, name, path)
  if (!(via === 'sort' ? attribute.isSortable : attribute.isPassable)) throw invalidParameter(name, path)
  const step = openStep(scope, node.type, attribute)
  if (step === null) throw invalidParameter(name, path)
  return step
}

/** Resolves a predicate on a node. */
export function resolvePredicate(scope: NodeOpener, node: OpenNode, predicate: Predicate, path: string): Test | null {
  return walk(predicate, false, {
    within: (name, of, negated) => resolveWithin(scope, node, { name, of, path: `${path}.${name}`, negated }),
    test: () => {
      throw new Error(`A test without an attribute at ${path}`)
    },
  })
}

/** The functions with which `walk` converts the leaves of a predicate. */
interface Leaves {
  within(name: string, of: Predicate, negated: boolean): Test | null
  test(test: Exclude<Predicate, { op: 'and' | 'or' | 'not' | 'within' }>, negated: boolean): Test
}

/** Pushes negations down to the leaves, so that around to-many relations they apply to each linked row (B-2.116). */
function walk(predicate: Predicate, negated: boolean, leaves: Leaves): Test | null {
  switch (predicate.op) {
    case 'and':
    case 'or': {
      const of = predicate.of.map(one => walk(one, negated, leaves)).filter(test => test !== null)
      if (of.length === 0) return null
      return of.length === 1 ? of[0]! : { op: negated === (predicate.op === 'and') ? 'or' : 'and', of }
    }
    case 'not':
      return walk(predicate.of, !negated, leaves)
    case 'within':
      return leaves.within(predicate.name, predicate.of, negated)
    default:
      return leaves.test(predicate, negated)
  }
}

/** A predicate on an attribute of a node. */
interface Within {
  readonly name: string
  readonly of: Predicate
  readonly path: string
  readonly negated: boolean
}

function resolveWithin(scope: NodeOpener, node: OpenNode, { name, of, path, negated }: Within): Test | null {
  const attribute = node.type.attributes.get(name)
  if (name === 'id' || attribute?.kind === 'scalar') {
    const column = comparableColumn(scope, node, name, path)
    const family = attribute?.kind === 'scalar' ? attribute.scalar.family : 'id'
    return walk(of, negated, {
      within: below => {
        const fault = `${column.name} is a scalar, which has no attributes`
        throw refusedName(below, `${path}.${below}`, `Invalid parameter ${below}: ${fault}`)
      },
      test: (test, isNegated) => resolveTest(test, column, family, isNegated),
    })
  }
  const step = readableStep(scope, node, { name, path, via: 'filter' })
  const target = scope.open({ type: step.to, via: 'filter', through: step.attribute, path })
  // Below a relation, names are those of its target, and operators without a name compare its id (B-2.111).
  const where = walk(of, negated, {
    within: (below, inner, isNegated) =>
      resolveWithin(scope, target, { name: below, of: inner, path: `${path}.${below}`, negated: isNegated }),
    test: (test, isNegated) => resolveTest(test, idColumn, 'id', isNegated),
  })
  return where === null
    ? null
    : { op: 'linked', step, where, visible: target.rules, orMissing: onNothing(where) === true }
}

function resolveTest(
  test: Parameters<Leaves['test']>[0],
  column: Column,
  family: Parameters<typeof castOf>[0],
  negated: boolean,
): Test {
  if (test.op === 'null') return { op: 'null', column, isNull: test.isNull !== negated }
  const { operator, path } = test
  return negate(operatorTest(operator, { slot: test.operand }, { column, family, path }), negated)
}

/** A column that an operator tests; errors of its values name `path`. */
interface TestedColumn {
  readonly column: Column
  readonly family: Parameters<typeof castOf>[0]
  readonly path: string
}

/** The test of a column by a filter operator with an operand, except `$null` and `$notNull`. */
export function operatorTest(operator: Operator, operand: Operand, { column, family, path }: TestedColumn): Test {
  if (operator.sql !== undefined) {
    return { op: 'custom', column, sql: operator.sql, operand, encode: encodeOf(operator, path) }
  }
  const comparison = operator.comparison!
  const own = operator.text ? String : castOf(family, path)
  const cast = orders.has(comparison) && (family === 'id' || family === 'biginteger') ? comparable(own) : own
  return { op: 'compare', column, comparison, operand, cast }
}

/** The conversion of values by an operator of a plugin; its errors name `path`, unless they name a place. */
function encodeOf({ encode }: Operator, path: string): (value: unknown) => unknown {
  if (encode === undefined) return value => value
  return value => {
    try {
      return encode(value)
    } catch (error) {
      throw located(error, path)
    }
  }
}

const decimalText = /^[+-]?\d{1,20}(\.\d{1,20})?$/
const orders: ReadonlySet<Comparison> = new Set(['lt', 'lte', 'gt', 'gte', 'between'])

/**
 * Casts text that is not a number to null, with which neither a comparison nor its negation matches (B-2.107, B-2.126).
 * Compared as text it would be greater than all numbers.
 */
function comparable(cast: (value: unknown) => unknown): (value: unknown) => unknown {
  return value => {
    const operand = cast(value)
    if (typeof operand === 'bigint' || Number.isFinite(operand)) return operand
    return typeof operand === 'string' && decimalText.test(operand) ? Number(operand) : null
  }
}

/** The test, or its negation. */
export function negate(test: Test, negated: boolean): Test {
  return negated ? { op: 'not', of: test } : test
}

/** The result of a test if nothing is linked and every column is null; undefined is SQL's unknown. */
function onNothing(test: Test): boolean | undefined {
  switch (test.op) {
    case 'constant':
      return test.value
    case 'null':
      return test.isNull
    case 'and': {
      const parts = test.of.map(onNothing)
      return parts.includes(false) ? false : parts.includes(undefined) ? undefined : true
    }
    case 'or': {
      const parts = test.of.map(onNothing)
      return parts.includes(true) ? true : parts.includes(undefined) ? undefined : false
    }
    case 'not': {
      const inner = onNothing(test.of)
      return inner === undefined ? undefined : !inner
    }
    case 'linked':
      return test.orMissing ? true : undefined
    case 'rule':
      return onNothing(test.of)
    default:
      return undefined
  }
}
