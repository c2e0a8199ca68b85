// Detects rules that few entries fulfil: those that compare with a value of the user for equality. The database should
// begin a list with them, and their attributes have indexes.

import type { Condition, TypeDraft } from '@plinth/kernel'
import type { RuleConfig } from './schema.ts'
import type { RuleOperand } from './values.ts'

/** Returns whether all entries that fulfil the condition have one value of the user in common. */
export function isSelective(condition: Condition): boolean {
  switch (condition.op) {
    case 'and':
      return condition.of.some(isSelective)
    case 'or':
      return condition.of.every(isSelective)
    case 'linked':
      return condition.where !== null && isSelective(condition.where)
    case 'operator': {
      const { comparison } = condition.operator
      const isEqual = comparison === 'eq' || comparison === 'in'
      return isEqual && (condition.operand as RuleOperand).isOfUser === true
    }
    default:
      return false
  }
}

/** Attribute types whose columns every database can index as a whole. */
const indexable = ['string', 'email', 'uid', 'enumeration', 'integer', 'biginteger']

/**
 * Returns whether an action, or a pattern of actions, may be about a content type; for hooks, which need not run for
 * others.
 */
export function mayConcern(action: string, uid: string): boolean {
  const own = uid.slice(0, uid.lastIndexOf('.') + 1)
  const prefix = action.endsWith('*') ? action.slice(0, -1) : action
  return prefix.startsWith(own) || own.startsWith(prefix)
}

/**
 * Indexes the attributes of a type that rules compare with a value of the user. For `preModel`: rules are not parsed yet.
 * If few entries fulfil the rule, its attribute has an index of its own, with which the database begins. Other attributes
 * join the indexes of the kernel, so that a total can be counted in an index alone.
 */
export function indexCompared(draft: TypeDraft, rules: Iterable<RuleConfig>): void {
  const compared = [...rules].filter(one => mayConcern(one.action, draft.uid)).flatMap(one => comparedNames(one.where))
  const indexedNames = new Set(draft.indexes.map(index => index.attributes[0]))
  for (const name of new Set(compared.filter(one => one.isEqual).map(one => one.name)))
    if (!indexedNames.has(name) && isIndexable(draft, name)) {
      indexedNames.add(name)
      draft.index([name])
    }
  const scoped = new Set(draft.scopes.map(one => one.attribute))
  for (const { name } of compared)
    if (!indexedNames.has(name) && !scoped.has(name) && isIndexable(draft, name)) {
      scoped.add(name)
      draft.scope(name, { isEqual: false })
    }
}

/** Returns whether an attribute has a column that no other index serves. */
function isIndexable(draft: TypeDraft, name: string): boolean {
  const definition = draft.attributes.get(name)
  return definition !== undefined && definition.unique !== true && indexable.includes(definition.type)
}

/** An attribute that every entry fulfilling the filters has compared with a value of the user. */
interface ComparedAttribute {
  readonly name: string
  readonly isEqual: boolean
}

function comparedNames(where: unknown): ComparedAttribute[] {
  if (where === null || typeof where !== 'object' || Array.isArray(where)) return []
  return Object.entries(where).flatMap(([name, value]) => {
    if (name === '$and' && Array.isArray(value)) return value.flatMap(comparedNames)
    const tests = value !== null && typeof value === 'object' ? Object.entries(value) : [['$eq', value]]
    return tests
      .filter(([, operand]) => typeof operand === 'string' && operand.startsWith('$user.'))
      .map(([operator]) => ({ name, isEqual: operator === '$eq' }))
  })
}
