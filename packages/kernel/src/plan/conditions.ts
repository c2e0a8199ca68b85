// Resolves the conditions of plugins on a node. They may use private and hidden attributes. Names that do not exist are
// mistakes of the plugin.

import { UsageError } from '../errors.ts'
import type { ContentType } from '../model/content-type.ts'
import { aboutSent } from '../query/place.ts'
import { castOf } from './cast.ts'
import type { Condition } from './condition.ts'
import type { NodeOpener } from './open-node.ts'
import type { Operand } from './operand.ts'
import type { Test } from './plan.ts'
import { columnOf, negate, operatorTest, stepOf } from './resolve.ts'

/** The node that a condition is about, and how the nodes that it passes are reached. */
interface ConditionNode {
  readonly type: ContentType
  readonly path: string
  readonly via: 'filter' | 'rule'
}

/**
 * Resolves a plugin's condition on a node. Throws UsageError for unknown attributes, and for values that are not
 * conditions.
 */
export function resolveCondition(scope: NodeOpener, node: ConditionNode, condition: Condition, negated = false): Test {
  const { type } = node
  switch (condition?.op) {
    case 'and':
    case 'or': {
      const op = negated === (condition.op === 'and') ? 'or' : 'and'
      return { op, of: condition.of.map(one => resolveCondition(scope, node, one, negated)) }
    }
    case 'not':
      return resolveCondition(scope, node, condition.of, !negated)
    case 'never':
      return { op: 'constant', value: negated }
    case 'null':
      return { op: 'null', column: columnOf(type, condition.attribute), isNull: condition.isNull !== negated }
    case 'compare': {
      const { attribute, comparison, operand } = condition
      const compared = type.attributes.get(attribute)
      const own = castOf(compared?.kind === 'scalar' ? compared.scalar.family : 'id', attribute)
      const cast = atItsPlace(operand, value => {
        operand.check?.(value)
        return own(value)
      })
      return negate({ op: 'compare', column: columnOf(type, attribute), comparison, operand, cast }, negated)
    }
    case 'operator':
      return resolveOperator(type, condition, negated)
    case 'linked':
      return resolveLinked(scope, node, condition, negated)
    default:
      // Left out, it would hide nothing.
      throw new UsageError(
        'PLINTH_PLAN_OPTION',
        `where: expected a condition, such as eq(attribute, operand), found ${JSON.stringify(condition)}`,
      )
  }
}

function resolveOperator(
  type: ContentType,
  { attribute, operator, operand }: Extract<Condition, { op: 'operator' }>,
  negated: boolean,
): Test {
  const compared = type.attributes.get(attribute)
  const family = compared?.kind === 'scalar' ? compared.scalar.family : 'id'
  const test = atPlaceOf(
    operand,
    operatorTest(operator, operand, { column: columnOf(type, attribute), family, path: attribute }),
  )
  // A comparison of SQL with NULL is never true, but the SQL of a plugin may do anything with a missing value.
  if (test.op !== 'custom' || !canBeMissing(operand)) return negate(test, negated)
  return { op: 'and', of: [{ op: 'given', operands: [operand] }, negate(test, negated)] }
}

/** A conversion whose errors say where the caller sent the value, if it did. */
function atItsPlace(operand: Operand, convert: (value: unknown) => unknown): (value: unknown) => unknown {
  if (!('slot' in operand) || operand.at === undefined) return convert
  const { at } = operand
  return value => {
    try {
      return convert(value)
    } catch (error) {
      throw aboutSent(error, at)
    }
  }
}

function atPlaceOf(operand: Operand, test: Test): Test {
  if (test.op === 'compare') return { ...test, cast: atItsPlace(operand, test.cast) }
  return test.op === 'custom' ? { ...test, encode: atItsPlace(operand, test.encode) } : test
}

function resolveLinked(
  scope: NodeOpener,
  node: ConditionNode,
  condition: Extract<Condition, { op: 'linked' }>,
  negated: boolean,
): Test {
  const { attribute, where } = condition
  const step = stepOf(scope, node.type, attribute)
  const { via } = node
  const target = { type: step.to, via, through: step.attribute, path: `${node.path}.${attribute}` }
  const visible = scope.open(target).rules
  const test: Test = {
    op: 'linked',
    step,
    where: where === null ? null : resolveCondition(scope, target, where),
    visible,
    orMissing: false,
  }
  if (!negated) return test
  // Unlike in a caller's filter, a negation applies to the whole: no visible linked entry fulfils `where`. Nothing
  // fulfils a comparison with a missing value, so without this test every entry would fulfil its negation.
  const operands = where === null ? [] : perRequestIn(where)
  const none: Test = { op: 'not', of: test }
  return operands.length === 0 ? none : { op: 'and', of: [{ op: 'given', operands }, none] }
}

/** The operands in a condition whose values can be missing. A constant is the same for every request. */
function perRequestIn(condition: Condition): Operand[] {
  switch (condition.op) {
    case 'and':
    case 'or':
      return condition.of.flatMap(perRequestIn)
    case 'not':
      return perRequestIn(condition.of)
    case 'linked':
      return condition.where === null ? [] : perRequestIn(condition.where)
    case 'compare':
    case 'operator':
      return canBeMissing(condition.operand) ? [condition.operand] : []
    default:
      return []
  }
}

function canBeMissing(operand: Operand): boolean {
  return 'perRequest' in operand && operand.isConstant !== true
}
