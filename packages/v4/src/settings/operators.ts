// Operators and functions of the interpreted part of the language: they only compute.

/** Stands for what only running the code could tell. */
export const unread = Symbol('unread')

/** Functions that are called as in a process, because they only compute. */
export const functions: Readonly<Record<string, unknown>> = {
  Number,
  String,
  Boolean,
  parseInt: Number.parseInt,
  parseFloat: Number.parseFloat,
  JSON: { parse: JSON.parse, stringify: JSON.stringify },
  Object: { assign: Object.assign, freeze: (one: unknown) => one, keys: Object.keys },
}

/** A member of an object, a list or a text that is its own. */
export function member(value: unknown, name: unknown): unknown {
  if (value === unread || name === unread) return unread
  if (value === null || value === undefined) return undefined
  if (typeof value === 'function' || typeof value === 'object')
    return Object.hasOwn(value, name as PropertyKey)
      ? (value as Record<PropertyKey, unknown>)[name as PropertyKey]
      : listMember(value, name)
  return typeof value === 'string' ? textMember(value, name) : undefined
}

/** A method of a list or a text. */
function bound(value: object | string, name: string): unknown {
  const method = (value as unknown as Record<string, (...args: unknown[]) => unknown>)[name]!
  return method.bind(value)
}

function listMember(value: object, name: unknown): unknown {
  if (!Array.isArray(value)) return undefined
  const calls = ['concat', 'filter', 'includes', 'join', 'map', 'slice']
  return calls.includes(String(name)) ? bound(value, String(name)) : undefined
}

function textMember(value: string, name: unknown): unknown {
  const calls = [
    'split',
    'trim',
    'toLowerCase',
    'toUpperCase',
    'replace',
    'startsWith',
    'endsWith',
    'includes',
    'slice',
  ]
  return calls.includes(String(name)) ? bound(value, String(name)) : undefined
}

export function unary(operator: string, value: unknown): unknown {
  if (value === unread) return unread
  return operator === '!' ? !value : operator === '-' ? -Number(value) : operator === '+' ? Number(value) : unread
}

export function binary(operator: string, left: unknown, right: unknown): unknown {
  if (left === unread || right === unread) return unread
  const [one, other] = [left as number, right as number]
  switch (operator) {
    case '===':
    case '==':
      return left === right
    case '!==':
    case '!=':
      return left !== right
    case '+':
      return one + other
    case '-':
      return one - other
    case '*':
      return one * other
    case '/':
      return one / other
    default:
      return unread
  }
}
