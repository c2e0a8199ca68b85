// Random roles: what they may do with each type, and up to three rules for each action.

import type { RuleConfig } from '../../src/rules/schema.ts'
import type { Random } from './random.ts'
import type { Filter, UserRow } from './truth.ts'
import { actionOf, type Family, type Name, names, pools, shapes } from './world.ts'

export const operations = ['find', 'create', 'update', 'delete'] as const
export type Operation = (typeof operations)[number]

/** A role as the naive model sees it. */
export interface RandomRole {
  readonly type: string
  readonly permissions: readonly string[]
  readonly rules: readonly RuleConfig[]
}

/** What a value of a family may be taken from. */
const references: Readonly<Record<Family, readonly string[]>> = {
  text: ['$user.nick', '$user.team.name'],
  integer: ['$user.level', '$user.id', '$user.team.size'],
  boolean: [],
}
const idReferences = ['$user.id', '$user.team.id', '$user.level']

/** A role that may find most types, with rules for some of them. */
export function randomRole(random: Random, type: string): RandomRole {
  const permissions: string[] = []
  const rules: RuleConfig[] = []
  for (const name of names)
    for (const operation of operations) {
      if (!random.chance(operation === 'find' ? 0.85 : 0.9)) continue
      permissions.push(actionOf(name, operation))
      if (operation === 'find') permissions.push(actionOf(name, 'findOne'))
      const count = random.weigh<number>([4, () => 0], [3, () => 1], [2, () => 2], [1, () => 3])
      for (let i = 0; i < count; i++) rules.push(randomRule(random, name, operation))
    }
  return { type, permissions, rules }
}

function randomRule(random: Random, name: Name, operation: Operation): RuleConfig {
  const { scalars, joins } = shapes[name]
  const attributes = [...Object.keys(scalars), ...Object.keys(joins)]
  const isWrite = operation === 'create' || operation === 'update'
  const where = random.chance(0.85) ? { where: randomFilter(random, name, 2, true) } : {}
  const check = isWrite && random.chance(0.3) ? { check: randomFilter(random, name, 1, true) } : {}
  const needsFields = !('where' in where) && !('check' in check)
  const fields =
    operation !== 'delete' && (needsFields || random.chance(0.3)) ? { fields: random.some(attributes, 1, 2) } : {}
  const rule = { action: actionOf(name, operation), ...where, ...check, ...fields }
  return Object.keys(rule).length === 1 ? { ...rule, where: { id: { $lt: 5 } } } : rule
}

/** Random filters, with values of the user if `isRule`. */
export function randomFilter(random: Random, name: Name, depth: number, isRule: boolean): Filter {
  const { scalars, joins } = shapes[name]
  const inner = () => randomFilter(random, name, depth - 1, isRule)
  const scalar = (): Filter => {
    const [key, family] = random.pick(Object.entries(scalars))
    return { [key]: condition(random, family, isRule) }
  }
  const join = (): Filter => {
    const [key, { to }] = random.pick(Object.entries(joins))
    return random.weigh<Filter>(
      [depth > 0 ? 5 : 0, () => ({ [key]: randomFilter(random, to, depth - 1, isRule) })],
      [2, () => ({ [key]: { id: idCondition(random, isRule) } })],
      [1, () => ({ [key]: random.between(1, 6) })],
      [1, () => ({ [key]: null })],
    )
  }
  return random.weigh<Filter>(
    [4, scalar],
    [4, join],
    [1, () => ({ id: idCondition(random, isRule) })],
    [depth > 0 ? 1.5 : 0, () => ({ [random.pick(['$and', '$or'])]: [inner(), inner()] })],
    [depth > 0 ? 1 : 0, () => ({ $not: inner() })],
    [1, () => ({ ...scalar(), ...join() })],
  )
}

function condition(random: Random, family: Family, isRule: boolean): unknown {
  const value = () => {
    const own = references[family]
    return isRule && own.length > 0 && random.chance(0.35) ? random.pick(own) : random.pick(pools[family])
  }
  const test = (): unknown =>
    random.weigh<unknown>(
      [3, value],
      [2, () => ({ [random.pick(['$eq', '$ne'])]: value() })],
      [1, () => ({ [random.pick(['$in', '$notIn'])]: [value(), value()] })],
      [1, () => ({ [random.pick(['$null', '$notNull'])]: random.chance(0.5) })],
      [1, () => null],
      [family === 'integer' ? 3 : 0, () => ({ [random.pick(['$lt', '$gte'])]: value() })],
      [family === 'integer' ? 1 : 0, () => ({ $between: [value(), value()] })],
      [family === 'text' ? 2 : 0, () => ({ [random.pick(['$contains', '$notContains', '$startsWith'])]: value() })],
    )
  return random.chance(0.1) ? { $not: { $ne: value() } } : test()
}

function idCondition(random: Random, isRule: boolean): unknown {
  const value = () => (isRule && random.chance(0.5) ? random.pick(idReferences) : random.between(1, 8))
  return random.weigh<unknown>(
    [3, value],
    [1, () => ({ $ne: value() })],
    [1, () => ({ $gte: value() })],
    [isRule ? 2 : 0, () => ({ [random.pick(['$in', '$notIn'])]: '$user.labels.id' })],
    [1, () => ({ $null: random.chance(0.5) })],
  )
}

/** Random users, and nobody. */
export function randomUser(random: Random): UserRow {
  if (random.chance(0.15)) return null
  const maybe = <T>(make: () => T) => (random.chance(0.75) ? make() : null)
  return {
    id: random.between(1, 5),
    nick: maybe(() => random.pick(pools.text)),
    level: maybe(() => random.pick(pools.integer)),
    team: maybe(() => ({
      id: random.between(1, 3),
      name: maybe(() => random.pick(pools.text)),
      size: random.pick([1, null]),
    })),
    labels: random.some([1, 2, 3, 4], 0, 2).map(id => ({ id })),
  }
}

/** The filters of the rules of a role for an action; a rule with fields alone is none. */
export function wheresOf(role: RandomRole, name: Name, operation: Operation): (Filter | null)[] {
  const isWrite = operation === 'create' || operation === 'update'
  return rulesOf(role, name, operation)
    .filter(({ where, check }) => where !== undefined || (isWrite && check !== undefined))
    .map(({ where }) => where ?? null)
}

/** What must hold after a write. */
export function checksOf(role: RandomRole, name: Name, operation: Operation): Filter[] {
  return rulesOf(role, name, operation).flatMap(({ where, check }): Filter[] => {
    const found = check ?? where
    return found === undefined ? [] : [found]
  })
}

export function rulesOf(role: RandomRole, name: Name, operation: Operation): RuleConfig[] {
  return role.rules.filter(rule => rule.action === actionOf(name, operation))
}

export function hiddenOf(role: RandomRole, name: Name, operation: Operation): Set<string> {
  return new Set(rulesOf(role, name, operation).flatMap(({ fields = [] }) => fields))
}

export const mayDo = (role: RandomRole, name: Name, operation: Operation) =>
  role.permissions.includes(actionOf(name, operation))
