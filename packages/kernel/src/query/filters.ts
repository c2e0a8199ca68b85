// Parses the `filters` clause (B-2.90 to B-2.134): objects of names, operators and values into a Predicate. It
// interprets the keys that begin with $, but not the model: `[author][name]` is a path, whatever author is.

import { ValidationError } from '../errors.ts'
import { suggestion } from '../nearest.ts'
import { isPlainRecord } from '../record.ts'
import { type Operator, parseFlag } from './operators.ts'
import { refusedName } from './place.ts'
import type { Predicate } from './query.ts'
import { asList, limits, type ShapeBuilder } from './shape.ts'

/** The predicate of a `filters` parameter; null if it has no condition. Throws ValidationError. */
export function parseFilters(writer: ShapeBuilder, value: unknown, path: string): Predicate | null {
  if (value === undefined) return null
  if (!isPlainRecord(value)) throw new ValidationError(`Invalid parameter ${path}: expected an object`, { path })
  writer.mark('|filters')
  return parseGroup(writer, value, path, 0, false)
}

/** `inAttribute`: the group is below an attribute's name, so operators are allowed. */
function parseGroup(
  writer: ShapeBuilder,
  group: Record<string, unknown>,
  path: string,
  depth: number,
  inAttribute: boolean,
): Predicate | null {
  if (depth > limits.depth) throw tooDeep(path)
  const predicates: Predicate[] = []
  writer.mark('{')
  for (const key of Object.keys(group)) {
    const predicate = parseEntry(writer, key, group[key], `${path}.${key}`, depth + 1, inAttribute)
    if (predicate !== null) predicates.push(predicate)
  }
  writer.mark('}')
  return join('and', predicates)
}

function parseEntry(
  writer: ShapeBuilder,
  key: string,
  value: unknown,
  path: string,
  depth: number,
  inAttribute: boolean,
): Predicate | null {
  if (value === undefined) return null
  if (key === '$and' || key === '$or') return parseBranches(writer, key, value, path, depth, inAttribute)
  if (key === '$not') return negate(parseNegated(writer, value, path, depth, inAttribute))
  if (key.startsWith('$')) {
    const operator = writer.grammar.operators.get(key)
    if (operator === undefined) {
      if (writer.grammar.ignoreUnknownOperators) return null
      const hint = suggestion(key, [...writer.grammar.operators.keys(), '$and', '$or', '$not'])
      throw refusedName(key, path, `Unknown operator ${key}${hint}`)
    }
    if (!inAttribute) throw refusedName(key, path, `Invalid parameter ${key}: an operator must be below an attribute`)
    return parseTest(writer, operator, value, path)
  }
  return within(key, parseAttribute(writer, key, value, path, depth))
}

function parseNegated(writer: ShapeBuilder, value: unknown, path: string, depth: number, inAttribute: boolean) {
  writer.mark('!')
  const list = asList(value)
  if (Array.isArray(list)) return parseList(writer, 'and', list, path, depth, inAttribute)
  if (isPlainRecord(list)) return parseGroup(writer, list, path, depth, inAttribute)
  if (!inAttribute) throw new ValidationError(`Invalid parameter $not: expected an object`, { path })
  return parseTest(writer, writer.grammar.operators.get('$eq')!, list, path)
}

function parseBranches(
  writer: ShapeBuilder,
  key: '$and' | '$or',
  value: unknown,
  path: string,
  depth: number,
  inAttribute: boolean,
): Predicate | null {
  const list = asList(value)
  if (!Array.isArray(list)) throw new ValidationError(`Invalid parameter ${key}: expected a list`, { path })
  return parseList(writer, key === '$and' ? 'and' : 'or', list, path, depth, inAttribute)
}

function parseList(
  writer: ShapeBuilder,
  op: 'and' | 'or',
  list: unknown[],
  path: string,
  depth: number,
  inAttribute: boolean,
): Predicate | null {
  writer.mark(op === 'and' ? '&' : '/')
  writer.branch(list.length, path)
  const predicates: Predicate[] = []
  for (const [i, item] of list.entries()) {
    const predicate = parseItem(writer, asList(item), `${path}.${i}`, depth + 1, inAttribute)
    if (predicate !== null) predicates.push(predicate)
  }
  writer.mark(';')
  return join(op, predicates)
}

/**
 * An item of a list: conditions of which all must hold, as an object or again as a list, whatever the list is below.
 */
function parseItem(
  writer: ShapeBuilder,
  item: unknown,
  path: string,
  depth: number,
  inAttribute: boolean,
): Predicate | null {
  if (isPlainRecord(item)) return parseGroup(writer, item, path, depth, inAttribute)
  if (!Array.isArray(item)) throw new ValidationError(`Invalid parameter ${path}: expected an object`, { path })
  if (depth > limits.depth) throw tooDeep(path)
  return parseList(writer, 'and', item, path, depth, inAttribute)
}

function tooDeep(path: string): ValidationError {
  return new ValidationError(`Invalid parameter ${path}: it is nested too deeply`, { path })
}

function parseAttribute(writer: ShapeBuilder, name: string, value: unknown, path: string, depth: number) {
  writer.name(name, path)
  return writer.descend(path, () => parseBelow(writer, value, path, depth))
}

function parseBelow(writer: ShapeBuilder, value: unknown, path: string, depth: number): Predicate | null {
  const list = asList(value)
  // A list without an operator means "in" (B-2.90).
  if (Array.isArray(list)) return parseTest(writer, writer.grammar.operators.get('$in')!, list, path)
  if (isPlainRecord(list)) return parseGroup(writer, list, path, depth, true)
  return parseTest(writer, writer.grammar.operators.get('$eq')!, list, path)
}

function parseTest(writer: ShapeBuilder, operator: Operator, value: unknown, path: string): Predicate | null {
  const operand = asList(value)
  if (operator.operand === 'flag')
    return nullTest(writer, (operator.name === '$null') === flagOf(writer, operand, path))
  if (isPlainRecord(operand)) throw new ValidationError(`Invalid value for ${path}: expected a value`, { path })
  if (operator.operand === 'list') return test(writer, operator, toList(operator, operand, path), path)
  if (operator.operand === 'pair') return parsePair(writer, operator, operand, path)
  // Several values for an operator that takes one value are alternatives (B-2.91).
  if (Array.isArray(operand)) {
    writer.mark(`/${operand.length}`)
    writer.branch(operand.length, path)
    const tests = operand.map((one, i) => parseOne(writer, operator, one, `${path}.${i}`))
    return join('or', tests)
  }
  return parseOne(writer, operator, operand, path)
}

/** Lists and objects that are not empty are true, whatever they contain (B-2.102). */
function flagOf(writer: ShapeBuilder, operand: unknown, path: string): boolean {
  if (!Array.isArray(operand) && !isPlainRecord(operand)) return parseFlag(operand)
  const { length } = Object.keys(operand)
  writer.branch(length, path)
  // An empty object is a condition without content, and to leave it out could widen the result.
  if (length === 0 && !Array.isArray(operand))
    throw new ValidationError(`Invalid value for ${path}: expected a value`, { path })
  return length > 0
}

function parsePair(writer: ShapeBuilder, operator: Operator, operand: unknown, path: string): Predicate {
  const list = Array.isArray(operand) ? operand : []
  const isComplete = list.length === 2 && list.every(isValue)
  if (!isComplete) throw new ValidationError(`Invalid value for ${path}: expected two values`, { path })
  return test(writer, operator, list, path)
}

function isValue(value: unknown): boolean {
  return value !== null && value !== undefined && !isPlainRecord(value) && !Array.isArray(value)
}

function parseOne(writer: ShapeBuilder, operator: Operator, value: unknown, path: string): Predicate {
  if (isPlainRecord(value) || Array.isArray(value)) {
    throw new ValidationError(`Invalid value for ${path}: expected a value`, { path })
  }
  if (value === null) {
    if (operator.name === '$eq' || operator.name === '$eqi') return nullTest(writer, true)
    if (operator.name === '$ne' || operator.name === '$nei') return nullTest(writer, false)
    throw new ValidationError(`Invalid value for ${path}: null cannot be compared`, { path })
  }
  return test(writer, operator, value, path)
}

function toList(operator: Operator, operand: unknown, path: string): unknown[] {
  const list = Array.isArray(operand) ? operand : [operand]
  for (const one of list) {
    if (isPlainRecord(one) || Array.isArray(one))
      throw new ValidationError(`Invalid value for ${path}: expected values`, { path })
  }
  const values = list.filter(one => one !== null && one !== undefined)
  // Nothing equals null: dropping null from "not in" would widen the result.
  if (values.length < list.length && operator.name !== '$in') {
    throw new ValidationError(`Invalid value for ${path}: null cannot be compared`, { path })
  }
  return values
}

function test(writer: ShapeBuilder, operator: Operator, operand: unknown, path: string): Predicate {
  writer.mark(operator.name)
  return { op: 'test', operator, operand: writer.bindValue(operand, path), path }
}

function nullTest(writer: ShapeBuilder, isNull: boolean): Predicate {
  writer.mark(isNull ? '$null' : '$notNull')
  return { op: 'null', isNull }
}

function within(name: string, of: Predicate | null): Predicate | null {
  // An attribute without a condition is kept: the planner must check the right to filter by it.
  return { op: 'within', name, of: of ?? { op: 'and', of: [] } }
}

function negate(of: Predicate | null): Predicate | null {
  return of === null ? null : { op: 'not', of }
}

function join(op: 'and' | 'or', of: Predicate[]): Predicate | null {
  if (of.length === 0) return null
  return of.length === 1 ? of[0]! : { op, of }
}
