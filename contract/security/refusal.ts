/**
 * What every refusal must be: an error body of the format that says what is wrong and where, and contains no internals.
 */

import type { Test } from 'tap'
import type { Answer } from '../boot.ts'

/** Stack frames, SQL, files and messages of drivers, which a caller must not see (introduction of security.md). */
const inner = /\n\s+at |SQLITE|no such (table|column)|\bselect\b.*\bfrom\b|node_modules|\.ts:\d|knex|better-sqlite3/i

/**
 * Checks that the response has this status (or one of these), is an error body, and names `where` in its message or
 * details.
 */
export function refused(t: Test, answer: Answer, statuses: number | readonly number[], where?: string | RegExp): void {
  const allowed = typeof statuses === 'number' ? [statuses] : statuses
  t.ok(allowed.includes(answer.status), `is refused with ${allowed.join(' or ')}`, {
    found: answer.status,
    body: answer.text.slice(0, 300),
  })
  t.match(
    answer.body,
    { data: null, error: { status: answer.status, name: String, message: String } },
    'in the envelope',
  )
  t.notMatch(answer.text, inner, 'without a word of the inside')
  if (where === undefined) return
  const { message, details } = answer.body?.error ?? {}
  const said = `${message} ${JSON.stringify(details)}`
  t.ok(typeof where === 'string' ? said.includes(where) : where.test(said), `and names ${where}`, { said })
}
