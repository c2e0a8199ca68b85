// Writes options as a query string in brackets, as v4 reads it. What a query string cannot hold must not widen the answer:
// an empty list, above all. Knows no type and sends nothing.

import { isRecord, type Values } from './record.ts'

/** The query string of options, without a question mark. */
export function queryOf(options: object): string {
  const pairs: string[] = []
  addOptions(pairs, '', options as Values)
  return pairs.join('&')
}

const encode = encodeURIComponent

function addOptions(pairs: string[], prefix: string, options: Values): void {
  for (const [name, value] of Object.entries(options)) {
    if (value === null || value === undefined) continue
    const key = prefix === '' ? encode(name) : `${prefix}[${encode(name)}]`
    if (name === 'populate') addPopulate(pairs, key, value)
    else if (name === 'on') addBranches(pairs, key, value as Values)
    else if (name === 'filters') addFilters(pairs, key, value as Values)
    // Without a name, no attribute.
    else if (name === 'fields' && Array.isArray(value) && value.length === 0) pairs.push(`${key}[]`)
    else addValue(pairs, key, value)
  }
}

function addPopulate(pairs: string[], key: string, value: unknown): void {
  if (isRecord(value)) addBranches(pairs, key, value)
  else if (value !== false) addValue(pairs, key, value === true ? '*' : value)
}

/** Options by the names of attributes, or of the types of a zone. */
function addBranches(pairs: string[], prefix: string, branches: Values): void {
  for (const [name, options] of Object.entries(branches)) {
    if (options === false || options === null || options === undefined) continue
    const key = `${prefix}[${encode(name)}]`
    const before = pairs.length
    if (options !== true) addOptions(pairs, key, options as Values)
    if (pairs.length === before) pairs.push(`${key}=true`)
  }
}

function addFilters(pairs: string[], key: string, filters: Values): void {
  for (const [name, value] of Object.entries(filters)) {
    const below = `${key}[${encode(name)}]`
    if (!Array.isArray(value)) {
      if (isRecord(value)) addFilters(pairs, below, value)
      else addValue(pairs, below, value)
      continue
    }
    const list = value.filter(one => one !== undefined)
    // One of no values is a condition that nothing meets.
    if (list.length === 0 && name === '$in') addContradiction(pairs, key)
    else if (list.length === 0 && name[0] !== '$') addContradiction(pairs, below)
    for (const [at, one] of list.entries()) {
      if (isRecord(one)) addFilters(pairs, `${below}[${at}]`, one)
      else addValue(pairs, `${below}[${at}]`, one)
    }
  }
}

function addContradiction(pairs: string[], key: string): void {
  pairs.push(`${key}[$and][0][$null]=true`, `${key}[$and][1][$notNull]=true`)
}

function addValue(pairs: string[], key: string, value: unknown): void {
  if (value === undefined) return
  // Without the sign it is null, and with it an empty text.
  if (value === null) pairs.push(key)
  else if (value instanceof Date) pairs.push(`${key}=${encode(value.toISOString())}`)
  else if (typeof value === 'object')
    for (const [name, one] of Object.entries(value)) addValue(pairs, `${key}[${encode(name)}]`, one)
  else pairs.push(`${key}=${encode(String(value))}`)
}
