// Lines of text about webhooks, for commands and reports. No line has a secret: neither headers nor the paths of URLs.

import { nameOf } from './callers.ts'
import { type Hook, shownUrl } from './hooks.ts'
import type { Backlog, DeadLetter } from './outbox.ts'
import type { HookOfV4 } from './stored.ts'

/** A text without control characters, which would act in a terminal. */
const plain = (text: string) => text.replaceAll(/\p{Cc}/gu, '?')

/** `site (https://a.com/…; entry.create, entry.update)` */
export function lineOfV4({ name, url, events, isEnabled }: HookOfV4): string {
  return `${plain(name)} (${shownUrl(url)}; ${events.join(', ') || 'no events'}${isEnabled ? '' : '; switched off'})`
}

/** Describes the webhooks of v4 for a report, as a sentence without a full stop at the end. */
export function remarkOnV4(hooks: readonly HookOfV4[]): string {
  const what = hooks.length === 1 ? 'a webhook' : `${hooks.length} webhooks`
  return `v4 has stored ${what}, which \`plinth webhooks adopt\` takes over: ${hooks.map(lineOfV4).join(', ')}`
}

/** A webhook as `plinth webhooks list --json` prints it. */
export interface ListedHook extends Backlog {
  readonly name: string
  readonly url: string
  readonly events: readonly string[]
  readonly types: readonly string[] | null
  readonly as: string
  readonly isSigned: boolean
  readonly isEnabled: boolean
  readonly source: Hook['source']
}

export function listed(hook: Hook, backlog: Backlog): ListedHook {
  const { name, url, events, types, as, secrets, isEnabled, source } = hook
  return {
    name,
    url: shownUrl(url),
    events: [...events],
    types: types === null ? null : [...types],
    as: nameOf(as),
    isSigned: secrets.length > 0,
    isEnabled,
    source,
    ...backlog,
  }
}

/** Rows with columns of equal width. */
export function columns(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0]!.map((_, i) => Math.max(...rows.map(row => row[i]!.length)))
  const padded = rows.map(row => row.map((cell, i) => cell.padEnd(widths[i]!)))
  return padded.map(row => row.join('  ').trimEnd())
}

export function linesOfHooks(hooks: readonly ListedHook[]): string[] {
  const rows = hooks.map(one => [
    one.name,
    one.url,
    `${one.waiting}${one.failing > 0 ? ` (${one.failing} failing)` : ''}`,
    String(one.dead),
    one.isEnabled ? (one.isSigned ? 'signed' : 'not signed') : 'switched off',
    one.as,
    one.events.join(', '),
    one.types?.join(', ') ?? 'all types',
  ])
  return columns([['name', 'url', 'waiting', 'dead', '', 'as', 'events', 'types'], ...rows])
}

export function linesOfDead(letters: readonly DeadLetter[]): string[] {
  const rows = letters.map(one => [
    String(one.id),
    one.hook,
    one.event,
    `${one.uid} ${one.entry}`,
    new Date(one.notedAt).toISOString(),
    `${one.attempts}`,
    plain(one.fault ?? ''),
  ])
  return columns([['id', 'webhook', 'event', 'entry', 'noted', 'attempts', 'fault'], ...rows])
}
