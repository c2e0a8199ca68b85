// Lists the filter operators (B-2.93 to B-2.105), one row each: their meaning, independent of the database's SQL.

/** A comparison that the database does; each dialect has one line for each. */
export type Comparison =
  | 'eq'
  | 'ne'
  | 'lt'
  | 'lte'
  | 'gt'
  | 'gte'
  | 'in'
  | 'notIn'
  | 'between'
  | 'eqi'
  | 'nei'
  | 'contains'
  | 'notContains'
  | 'containsi'
  | 'notContainsi'
  | 'startsWith'
  | 'startsWithi'
  | 'endsWith'
  | 'endsWithi'

/** A filter operator. */
export interface Operator {
  readonly name: string
  /** `flag`: true or false is part of the shape. `pair`: two values. `list`: any number. */
  readonly operand: 'one' | 'list' | 'pair' | 'flag'
  /** Compares text whatever the attribute's type is: the operand is not cast (B-2.125 lists the others). */
  readonly text?: boolean
  readonly comparison?: Comparison
  /** Operators of plugins: the SQL of a test, with `?` for the operand. */
  readonly sql?: (column: string) => string
  /** Operators of plugins: returns the bind value for the operand. */
  readonly encode?: (value: unknown) => unknown
}

const one = (name: string, comparison: Comparison): Operator => ({ name, operand: 'one', comparison })
const textual = (name: string, comparison: Comparison): Operator => ({ name, operand: 'one', text: true, comparison })

/** The built-in operators. `$and`, `$or` and `$not` are syntax, not operators. */
export const operators: readonly Operator[] = [
  one('$eq', 'eq'),
  one('$ne', 'ne'),
  one('$lt', 'lt'),
  one('$lte', 'lte'),
  one('$gt', 'gt'),
  one('$gte', 'gte'),
  { name: '$in', operand: 'list', comparison: 'in' },
  { name: '$notIn', operand: 'list', comparison: 'notIn' },
  { name: '$between', operand: 'pair', comparison: 'between' },
  { name: '$null', operand: 'flag' },
  { name: '$notNull', operand: 'flag' },
  textual('$eqi', 'eqi'),
  textual('$nei', 'nei'),
  textual('$contains', 'contains'),
  textual('$notContains', 'notContains'),
  textual('$containsi', 'containsi'),
  textual('$notContainsi', 'notContainsi'),
  textual('$startsWith', 'startsWith'),
  textual('$startsWithi', 'startsWithi'),
  textual('$endsWith', 'endsWith'),
  textual('$endsWithi', 'endsWithi'),
]

/**
 * Parses the text forms of a flag (B-2.102): missing and empty are false, any other text is true. A list of one item
 * counts as the item.
 */
export function parseFlag(value: unknown): boolean {
  if (value === null || value === undefined || value === '') return false
  if (Array.isArray(value)) return value.length !== 1 || parseFlag(value[0])
  // Conversions of objects may throw.
  if (typeof value === 'object') return true
  const text = String(value).toLowerCase()
  return !(text === 'false' || text === 'f' || text === '0')
}
