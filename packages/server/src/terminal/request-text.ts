// The lines of a terminal about one request: what was asked and answered, and below it why, and what took long. Colours are
// those of Node's styleText, which leaves them out without a terminal and with NO_COLOR. Knows no request.

import { styleText } from 'node:util'
import { redactText } from '@plinth/kernel'
import { printable } from '../printable.ts'
import type { SlowStatement } from './request-notes.ts'

type Style = Parameters<typeof styleText>[0]

/** A request that was answered. */
export interface AnsweredRequest {
  readonly method: string
  /** As it was sent, with the query string. */
  readonly url: string
  readonly status: number
  readonly milliseconds: number
  readonly statements: number
}

/** The maximum number of characters of a URL and of a statement. */
const maxText = 400

const styled = (style: Style, text: string): string => styleText(style, text, { stream: process.stdout })

/** `GET /api/articles 200 12 ms, 3 statements`. */
export function answeredText({ method, url, status, milliseconds, statements }: AnsweredRequest): string {
  const count = statements === 1 ? '1 statement' : `${statements} statements`
  const time = styled('dim', `${milliseconds.toFixed(0)} ms, ${count}`)
  return `${styled('bold', method)} ${printable(cut(readableUrl(url)))} ${styled(styleOf(status), String(status))} ${time}`
}

function styleOf(status: number): Style {
  if (status >= 500) return 'red'
  if (status >= 400) return 'yellow'
  return status >= 300 ? 'cyan' : 'green'
}

/** A reason, below the line of its request. */
export function reasonText(reason: string): string {
  return `  ${styled('yellow', printable(cut(redactText(reason))))}`
}

/** A statement that took long. All its values are bound, except what code writes into a statement of its own. */
export function slowText({ text, milliseconds }: SlowStatement): string {
  return `  ${styled('magenta', `${milliseconds.toFixed(0)} ms of SQL:`)} ${printable(cut(redactText(shapeOf(text))))}`
}

/** Returns the line with the index that would make a list faster. */
export function adviceText(advice: string): string {
  return `  ${styled('magenta', 'an index is missing:')} ${printable(advice)}`
}

/** A URL without secrets and without escapes, which hide the names in brackets. */
export function readableUrl(url: string): string {
  const redactedUrl = redactText(url)
  try {
    return redactText(decodeURIComponent(redactedUrl))
  } catch {
    return redactedUrl
  }
}

/** A statement in one line, with one placeholder for a list of them. */
export function shapeOf(text: string): string {
  return text
    .slice(0, 64 * maxText)
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/((?:\?|\$\d+)\s*,\s*)(?:(?:\?|\$\d+)\s*,\s*)+(?:\?|\$\d+)/g, '$1…')
    .trim()
}

function cut(text: string): string {
  return text.length <= maxText ? text : `${text.slice(0, maxText).toWellFormed()}…`
}
