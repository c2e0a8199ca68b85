// Unknown names in filters, sort and fields, and dates and times of a wrong form: v4's recorded answers have empty
// `details`, so ours do too, although the place is known (it is in `error.at` for code). If a recording of v4 had a
// path, the answer could have one.

import { readdirSync, readFileSync } from 'node:fs'
import t from 'tap'

interface Exchange {
  readonly request?: { readonly method: string; readonly path: string }
  readonly expect?: { readonly body?: unknown }
}

interface Refused {
  readonly path: string
  readonly message: string
  readonly details: unknown
}

/** The answers of the REST API with an error, in any suite. */
function refusals(): Refused[] {
  const folder = new URL('../suites/', import.meta.url)
  const found: Refused[] = []
  const visit = (value: unknown): void => {
    if (value === null || typeof value !== 'object') return
    const { request, expect } = value as Exchange
    const { error } = (expect?.body ?? {}) as { readonly error?: { message: string; details: unknown } }
    if (request !== undefined && error !== undefined) found.push({ path: request.path, ...error })
    for (const one of Object.values(value)) visit(one)
  }
  for (const name of readdirSync(folder).filter(one => one.endsWith('.json')))
    visit(JSON.parse(readFileSync(new URL(name, folder), 'utf8')))
  return found
}

t.test('recorded answers fix details: {} for names, dates and times', async t => {
  const all = refusals()
  const rows: readonly (readonly [what: string, isMeant: (one: Refused) => boolean])[] = [
    ['filters', ({ path, message }) => /[?&]filters/.test(path) && /^Invalid parameter \w+$/.test(message)],
    ['sort', ({ path, message }) => /[?&]sort/.test(path) && /^Invalid parameter \w+$/.test(message)],
    ['fields', ({ path, message }) => /[?&]fields/.test(path) && /^Invalid parameter \w+$/.test(message)],
    ['dates', ({ message }) => message === 'Invalid format, expected yyyy-MM-dd'],
    ['dates that do not exist', ({ message }) => message === 'Invalid date'],
    ['times', ({ message }) => message === 'Invalid time format, expected HH:mm:ss.SSS'],
    ['datetimes', ({ message }) => message === 'Invalid format, expected a timestamp or an ISO date'],
  ]
  for (const [what, isMeant] of rows) {
    const meant = all.filter(isMeant)
    t.ok(meant.length > 0, `${what} were recorded`)
    for (const { path, details } of meant) t.same(details, {}, `${what}: ${path}`)
  }
})
