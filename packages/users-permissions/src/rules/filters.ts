// Turns the filters of a rule into a condition with the meaning that the filters of the REST API have (B-2.90 to
// B-2.134). Unlike those, a rule may use private attributes, and what would restrict nothing is a mistake.

import {
  type Attribute,
  and,
  type Condition,
  type ContentType,
  compareBy,
  isPlainRecord,
  linked,
  not,
  type Operator,
  or,
  type Registry,
  suggestion,
} from '@plinth/kernel'
import { RuleFault } from './rule.ts'
import { type Arity, type ComparedSubject, comparedId, comparedScalar, type RuleValues } from './values.ts'

/** The subject of a group of filters. */
interface Subject {
  /** The type whose attributes the keys name; null below a scalar. */
  readonly type: ContentType | null
  /** The value that operators compare; null at the root, where there can be none. */
  readonly compared: ComparedSubject | null
}

const logic = ['$and', '$or', '$not']

/** Parses the filters of rules. */
export class RuleFilters {
  readonly #registry: Registry
  readonly #operators: ReadonlyMap<string, Operator>
  readonly #values: RuleValues

  constructor(registry: Registry, operators: Iterable<Operator>, values: RuleValues) {
    this.#registry = registry
    this.#operators = new Map(Array.from(operators, one => [one.name, one]))
    this.#values = values
  }

  /** The condition of `filters` on entries of `type`. Throws RuleFault. */
  parse(type: ContentType, filters: unknown, place: string): Condition {
    return this.#group({ type, compared: null }, record(filters, place), place, false)
  }

  /** Negations are pushed down to the comparisons, so that around to-many relations they concern each row (B-2.116). */
  #group(subject: Subject, group: Record<string, unknown>, place: string, negated: boolean): Condition {
    const parts = Object.entries(group).map(([key, value]) =>
      this.#entry(subject, key, value, `${place}.${key}`, negated),
    )
    if (parts.length === 0) throw new RuleFault(place, 'has no condition')
    return join(negated ? 'or' : 'and', parts)
  }

  #entry(subject: Subject, key: string, value: unknown, place: string, negated: boolean): Condition {
    if (value === undefined) throw new RuleFault(place, 'is undefined: a value that is missing would restrict nothing')
    if (key === '$and' || key === '$or') return this.#list(subject, key, value, place, negated)
    if (key === '$not') {
      if (Array.isArray(value)) return this.#list(subject, '$and', value, place, !negated)
      if (subject.compared === null || isPlainRecord(value))
        return this.#group(subject, record(value, place), place, !negated)
      return this.#test(subject.compared, this.#operators.get('$eq')!, value, place, !negated)
    }
    if (!key.startsWith('$')) return this.#attribute(subject, key, value, place, negated)
    const operator = this.#operators.get(key)
    if (operator === undefined) {
      const names = [...this.#operators.keys(), ...logic]
      throw new RuleFault(place, `unknown operator ${key}${suggestion(key, names)}`)
    }
    if (subject.compared === null) throw new RuleFault(place, 'an operator must be below an attribute')
    return this.#test(subject.compared, operator, value, place, negated)
  }

  #list(subject: Subject, key: '$and' | '$or', value: unknown, place: string, negated: boolean): Condition {
    if (!Array.isArray(value)) throw new RuleFault(place, 'expected a list')
    if (value.length === 0) throw new RuleFault(place, 'has no condition')
    const parts = value.map((one, i) => {
      const at = `${place}[${i}]`
      return this.#group(subject, record(one, at), at, negated)
    })
    return join(negated === (key === '$and') ? 'or' : 'and', parts)
  }

  #attribute({ type }: Subject, name: string, value: unknown, place: string, negated: boolean): Condition {
    if (type === null) throw new RuleFault(place, 'the attribute above is a scalar, which has no attributes')
    if (name === 'id') return this.#below({ type: null, compared: comparedId }, value, place, negated)
    const attribute = type.attributes.get(name)
    if (attribute === undefined) {
      const names = ['id', ...type.attributes.keys()]
      throw new RuleFault(place, `${type.uid} has no attribute "${name}"${suggestion(name, names)}`)
    }
    if (attribute.kind === 'scalar') {
      if (attribute.scalar.secret === true) throw new RuleFault(place, `"${name}" is secret and cannot be compared`)
      return this.#below({ type: null, compared: comparedScalar(attribute) }, value, place, negated)
    }
    const target = this.#target(attribute, place)
    const where = this.#below({ type: target, compared: comparedId }, value, place, negated)
    const condition = linked(name, where)
    // An entry without links counts as one whose linked attributes are all null (B-2.113).
    return fulfilledByNothing(where) ? or(condition, not(linked(name))) : condition
  }

  #target(attribute: Exclude<Attribute, { kind: 'scalar' }>, place: string): ContentType {
    if (attribute.kind === 'component') return this.#registry.require(attribute.component)
    if (attribute.kind === 'relation' && attribute.target !== null) return this.#registry.require(attribute.target)
    throw new RuleFault(
      place,
      `"${attribute.name}" may lead to entries of several types, or of none, which a rule cannot follow`,
    )
  }

  /** Parses what stands below the name of an attribute. */
  #below(subject: Subject, value: unknown, place: string, negated: boolean): Condition {
    if (isPlainRecord(value)) return this.#group(subject, value, place, negated)
    const operator = this.#operators.get(Array.isArray(value) ? '$in' : '$eq')!
    return this.#test(subject.compared!, operator, value, place, negated)
  }

  #test(compared: ComparedSubject, operator: Operator, value: unknown, place: string, negated: boolean): Condition {
    if (value === undefined) throw new RuleFault(place, 'is undefined: a value that is missing would restrict nothing')
    const { name } = compared
    if (operator.operand === 'flag') {
      if (typeof value !== 'boolean') throw new RuleFault(place, 'expected true or false')
      return { op: 'null', attribute: name, isNull: ((operator.name === '$null') === value) !== negated }
    }
    if (operator.operand !== 'one') return this.#compare(compared, operator, value, place, negated)
    if (value === null && (operator.name === '$eq' || operator.name === '$ne'))
      return { op: 'null', attribute: name, isNull: (operator.name === '$eq') !== negated }
    if (!Array.isArray(value)) return this.#compare(compared, operator, value, place, negated)
    // Several values for an operator that takes one value are alternatives (B-2.91).
    if (value.length === 0) throw new RuleFault(place, 'has no condition')
    const parts = value.map((one, i) => this.#test(compared, operator, one, `${place}[${i}]`, negated))
    return join(negated ? 'and' : 'or', parts)
  }

  #compare(compared: ComparedSubject, operator: Operator, value: unknown, place: string, negated: boolean): Condition {
    const subject = subjectOf(compared, operator)
    const operand = this.#values.operand(value, subject, operator.operand as Arity, place)
    const test = compareBy(compared.name, operator, operand)
    return negated ? not(test) : test
  }
}

/** Returns what the value of an operator must fit: text operators compare any attribute as a text (B-2.125). */
function subjectOf(compared: ComparedSubject, operator: Operator): ComparedSubject {
  const name = `the operand of ${operator.name}`
  if (operator.sql !== undefined) return { name, family: 'any', choices: null }
  if (operator.text !== true) return compared
  return compared.family === 'text' ? { ...compared, choices: null } : { name, family: 'text', choices: null }
}

function join(op: 'and' | 'or', parts: readonly Condition[]): Condition {
  return parts.length === 1 ? parts[0]! : op === 'and' ? and(...parts) : or(...parts)
}

/** Returns whether the condition holds if all attributes are null, as by the filters of the REST API (B-2.113). */
function fulfilledByNothing(condition: Condition): boolean {
  switch (condition.op) {
    case 'and':
      return condition.of.every(fulfilledByNothing)
    case 'or':
      return condition.of.some(fulfilledByNothing)
    case 'null':
      return condition.isNull
    case 'not':
      return condition.of.op === 'linked'
    default:
      return false
  }
}

function record(value: unknown, place: string): Record<string, unknown> {
  if (isPlainRecord(value)) return value
  throw new RuleFault(place, 'expected an object of filters')
}
