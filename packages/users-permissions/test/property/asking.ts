// What a caller can ask, by code and over REST: pages, entries and writes. An answer is all that the caller gets, with the
// statements that it took.

import type { Context, FindOptions, Kernel } from '@plinth/kernel'
import type { FastifyInstance, InjectOptions } from 'fastify'
import { aimedAt } from './aimed.ts'
import type { Change } from './changes.ts'
import { randomQuestion } from './questions.ts'
import type { Random } from './random.ts'
import { outcome } from './rounds.ts'
import type { UserRow } from './truth.ts'
import { type Name, uidOf } from './world.ts'
import { perform, type RandomWrite } from './written.ts'

/** One request of a caller. */
export type Asked = { readonly isRest: boolean; readonly params: FindOptions } & (
  | { readonly kind: 'page'; readonly root: Name }
  | { readonly kind: 'one'; readonly root: Name; readonly id: number }
  | { readonly kind: 'write'; readonly write: RandomWrite }
)

/** Who asks: in the process with a context, over REST with a header. */
export interface Asker {
  readonly context: Context
  readonly type: string
  readonly user: UserRow
}

/** The parameters that select what is shown of an entry. */
function shownOf({ fields, populate }: FindOptions): FindOptions {
  return { ...(fields && { fields }), ...(populate && { populate }) }
}

/** A list, often one that asks about a change, or the entry with a random id. */
export function randomRead(random: Random, root: Name, change: Change): Asked {
  const isRest = random.chance(0.4)
  const params = randomQuestion(random, root)
  const aimed = random.chance(0.5) ? aimedAt(random, root, change) : null
  if (aimed !== null) return { kind: 'page', isRest, root, params: { ...params, ...aimed } }
  if (random.chance(0.6)) return { kind: 'page', isRest, root, params }
  return { kind: 'one', isRest, root, id: random.between(1, 10), params: shownOf(params) }
}

export function askedWrite(random: Random, write: RandomWrite): Asked {
  return { kind: 'write', isRest: random.chance(0.4), write, params: shownOf(randomQuestion(random, write.name)) }
}

/** All that the caller gets, and the statements. */
export async function ask(app: FastifyInstance, asked: Asked, asker: Asker) {
  const statements: string[] = []
  const observer = { onStatement: (text: string) => void statements.push(text), onBegin: () => {}, onEnd: () => {} }
  const { kernel } = app
  const answer = await kernel.observe(observer, () =>
    asked.isRest ? send(app, asked, asker) : outcome(() => call(kernel, asked, asker.context)),
  )
  return { answer: withoutNow(answer), statements }
}

function call(kernel: Kernel, asked: Asked, context: Context): Promise<unknown> {
  const { params } = asked
  if (asked.kind === 'write') return perform(kernel, context, asked.write, params)
  const entries = kernel.query(uidOf(asked.root), context)
  return asked.kind === 'page' ? entries.findPage(params) : entries.findOne(asked.id, params)
}

/** Status, headers and body, but for times. */
async function send(app: FastifyInstance, asked: Asked, { type, user }: Asker): Promise<string> {
  const caller = encodeURIComponent(JSON.stringify({ type, user }))
  const { statusCode, headers, payload } = await app.inject({ ...requestOf(asked), headers: { 'x-caller': caller } })
  if (statusCode >= 500) throw new Error(`${statusCode}: ${payload}`)
  const { date: _, ...rest } = headers
  return `${JSON.stringify([statusCode, rest])} ${payload}`.replace(/dur=[\d.]+/g, 'dur')
}

function requestOf(asked: Asked): InjectOptions {
  const query = queryString(asked.params)
  if (asked.kind === 'page') return { method: 'GET', url: `/api/${asked.root}s?${query}` }
  if (asked.kind === 'one') return { method: 'GET', url: `/api/${asked.root}s/${asked.id}?${query}` }
  const { name, action, id, data } = asked.write
  if (action === 'create') return { method: 'POST', url: `/api/${name}s?${query}`, payload: { data } }
  const url = `/api/${name}s/${id}?${query}`
  return action === 'update' ? { method: 'PUT', url, payload: { data } } : { method: 'DELETE', url }
}

/** `{ a: { b: [1] } }` → `a[b][0]=1` */
function queryString(value: unknown, path = ''): string {
  if (value === null) return `${path}[$null]=true`
  if (typeof value !== 'object') return `${path}=${encodeURIComponent(String(value))}`
  return Object.entries(value)
    .map(([key, one]) => queryString(one, path === '' ? key : `${path}[${key}]`))
    .filter(one => one !== '')
    .join('&')
}

/** The time of a write is not that of its repetition. All entries were made at the same time (`freezeTimes`). */
const withoutNow = (text: string) => text.replace(/"20(?!23-11-14|24-01-01)[^"]{8,24}Z"/g, '"now"')
