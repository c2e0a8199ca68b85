// Reads the values that rules compare with: constants, which must fit the attribute, and values of a request.

import { type Context, nearest, type Operand, perRequest, type ScalarAttribute } from '@plinth/kernel'
import { type Family, familyOf, kinds } from './family.ts'
import { RuleFault } from './rule.ts'
import { type UserPaths, valueAt, valuesAt } from './user-paths.ts'

/** The subject of a comparison: `id` or a scalar attribute. */
export interface ComparedSubject {
  readonly name: string
  readonly family: Family
  /** The values of an enumeration; null for other attributes. */
  readonly choices: readonly string[] | null
}

export const comparedId: ComparedSubject = { name: 'id', family: 'id', choices: null }

/** The subject of a comparison with a scalar attribute. */
export function comparedScalar(attribute: ScalarAttribute): ComparedSubject {
  const { name, definition } = attribute
  const choices = attribute.scalar.family === 'enumeration' ? (definition.enum as readonly string[]) : null
  return { name, family: familyOf(attribute), choices }
}

/** An operand of a rule; `isOfUser`: its value depends on the user. */
export type RuleOperand = Operand & { readonly isOfUser?: boolean }

/** The part of a value: one item, which is fixed or computed. */
type Item = { readonly fixed: unknown } | ComputedItem

interface ComputedItem {
  /** The value, or null; all values, as a list, if there may be several. */
  readonly of: (context: Context) => unknown
  readonly isList: boolean
  readonly isOfUser: boolean
}

/** The number of values that an operator takes. */
export type Arity = 'one' | 'list' | 'pair'

const reference = /^\$[A-Za-z]/

/** Reads the values of rules. */
export class RuleValues {
  readonly #paths: UserPaths

  constructor(paths: UserPaths) {
    this.#paths = paths
  }

  /**
   * The operand for a value. Throws RuleFault for a value that is neither a constant of the attribute's kind, nor
   * `$now`, nor an existing `$user.<path>`.
   */
  operand(value: unknown, compared: ComparedSubject, arity: Arity, place: string): RuleOperand {
    if (arity === 'one') return toOperand([this.#item(value, compared, false, place)], 'one')
    const list = Array.isArray(value) ? value : [value]
    if (arity === 'pair' && list.length !== 2) throw new RuleFault(place, 'takes a list of two values')
    const items = list.map((one, i) =>
      this.#item(one, compared, arity === 'list', Array.isArray(value) ? `${place}[${i}]` : place),
    )
    return toOperand(items, arity)
  }

  #item(value: unknown, compared: ComparedSubject, mayBeList: boolean, place: string): Item {
    if (typeof value === 'string' && reference.test(value)) return this.#reference(value, compared, mayBeList, place)
    return { fixed: constant(value, compared, place) }
  }

  #reference(text: string, compared: ComparedSubject, mayBeList: boolean, place: string): Item {
    if (text === '$now') return now(compared, place)
    if (text !== '$user' && !text.startsWith('$user.')) {
      const [head = ''] = text.split('.')
      const other = nearest(head, ['$now', '$user'])
      const meant = other === null ? '' : `, did you mean "${other}${text.slice(head.length)}"?`
      throw new RuleFault(place, `${JSON.stringify(text)} is not known${meant || '; there are $user.<path> and $now'}`)
    }
    const { names, family, isList } = this.#paths.find(text, place)
    const isNumber = kinds[family] === kinds.id
    const fits =
      compared.family === 'any' || kinds[family] === kinds[compared.family] || (compared.family === 'text' && isNumber)
    if (!fits || family === 'json' || family === 'blocks')
      throw new RuleFault(place, `${compared.name} is ${kinds[compared.family]}, but ${text} is ${kinds[family]}`)
    if (isList && !mayBeList) throw new RuleFault(place, `${text} may have several values: compare by $in or $notIn`)
    const find = isList ? valuesAt : valueAt
    return { of: ({ access }) => find(access.user, names), isList, isOfUser: true }
  }
}

/** The time of the request, in the form of the attribute. */
function now({ name, family }: ComparedSubject, place: string): Item {
  const item = { isList: false, isOfUser: false }
  if (family === 'datetime' || family === 'any') return { ...item, of: () => new Date().toISOString() }
  if (family === 'date') return { ...item, of: () => new Date().toISOString().slice(0, 10) }
  throw new RuleFault(place, `$now is a date and time, but ${name} is ${kinds[family]}`)
}

/** The operand of the items. If one has no value for the caller, it is null, and no entry fulfils the comparison. */
function toOperand(items: readonly Item[], arity: Arity): RuleOperand {
  const fixed = items.flatMap(item => ('fixed' in item ? [item.fixed] : []))
  if (fixed.length === items.length) {
    const value = arity === 'one' ? fixed[0] : fixed
    return { perRequest: () => value, isConstant: true }
  }
  const isOfUser = items.some(item => 'of' in item && item.isOfUser)
  const [only] = items
  // Computed for each request: without lists for the usual case.
  if (arity === 'one' && only !== undefined && 'of' in only && !only.isList) return { ...perRequest(only.of), isOfUser }
  const compute = (context: Context) => {
    const values = items.map(item => ('fixed' in item ? [item.fixed] : valuesOf(item, context)))
    if (values.some(one => one.length === 0)) return null
    return arity === 'one' ? values[0]![0] : values.flat()
  }
  return { ...perRequest(compute), isOfUser }
}

/** The values of an item for a request; none if the caller has none. */
function valuesOf({ of, isList }: ComputedItem, context: Context): readonly unknown[] {
  const value = of(context)
  if (isList) return value as readonly unknown[]
  return value === null ? [] : [value]
}

/** A constant that fits the attribute. Throws RuleFault for another one. */
function constant(value: unknown, { name, family, choices }: ComparedSubject, place: string): unknown {
  const refuse = (fault: string): never => {
    throw new RuleFault(place, fault)
  }
  const fixed = value instanceof Date ? value.toISOString() : value
  const fixedText = JSON.stringify(fixed)
  if (fixed === undefined) return refuse('is undefined: a value that is missing would restrict nothing')
  if (fixed === null) return refuse('null cannot be compared; use $null or $notNull')
  if (typeof fixed === 'object' || typeof fixed === 'function') return refuse(`expected a value, found ${fixedText}`)
  if (typeof fixed === 'number' && !Number.isFinite(fixed)) return refuse(`${fixed} is not a number`)
  if (!accepts[kinds[family]]!(fixed)) return refuse(`${name} is ${kinds[family]}, but the value is ${fixedText}`)
  if (choices !== null && !choices.includes(String(fixed))) {
    const other = nearest(String(fixed), choices)
    return refuse(`${fixedText} is not a value of ${name}${other === null ? '' : `, did you mean "${other}"?`}`)
  }
  return fixed
}

/** Tests whether a constant is of a kind. */
const accepts: Readonly<Record<string, (value: unknown) => boolean>> = {
  [kinds.id]: value => typeof value === 'number' || (typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value)),
  [kinds.text]: value => typeof value === 'string' || typeof value === 'number',
  [kinds.boolean]: value => typeof value === 'boolean',
  [kinds.date]: value => /^\d{4}-\d\d-\d\d$/.test(String(value)) && isDate(value),
  [kinds.time]: value => /^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,3})?)?$/.test(String(value)),
  [kinds.datetime]: value => typeof value === 'number' || isDate(value),
  [kinds.json]: value => typeof value === 'string',
  [kinds.any]: () => true,
}

function isDate(value: unknown): boolean {
  return typeof value === 'string' && !Number.isNaN(Date.parse(value))
}
