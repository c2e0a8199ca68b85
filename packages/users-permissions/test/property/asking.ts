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
export type RandomRequest = { readonly isRest: boolean; readonly params: FindOptions } & (
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
export function randomRead(random: Random, root: Name, change: Change): RandomRequest {
  const isRest = random.chance(0.4)
  const params = randomQuestion(random, root)
  const aimed = random.chance(0.5) ? aimedAt(random, root, change) : null
  if (aimed !== null) return { kind: 'page', isRest, root, params: { ...params, ...aimed } }
  if (random.chance(0.6)) return { kind: 'page', isRest, root, params }
  return { kind: 'one', isRest, root, id: random.between(1, 10), params: shownOf(params) }
}

export function writeRequest(random: Random, write: RandomWrite): RandomRequest {
  return { kind: 'write', isRest: random.chance(0.4), write, params: shownOf(randomQuestion(random, write.name)) }
}

/** All that the caller gets, and the statements. */
export async function ask(app: FastifyInstance, request: RandomRequest, asker: Asker) {
  const statements: string[] = []
  const observer = { onStatement: (text: string) => void statements.push(text), onBegin: () => {}, onEnd: () => {} }
  const { kernel } = app
  const answer = await kernel.observe(observer, () =>
    request.isRest ? send(app, request, asker) : outcome(() => call(kernel, request, asker.context)),
  )
  return { answer: withoutNow(answer), statements }
}

function call(kernel: Kernel, request: RandomRequest, context: Context): Promise<unknown> {
  const { params } = request
  if (request.kind === 'write') return perform(kernel, context, request.write, params)
  const entries = kernel.query(uidOf(request.root), context)
  return request.kind === 'page' ? entries.findPage(params) : entries.findOne(request.id, params)
}

/** Status, headers and body, but for times. */
async function send(app: FastifyInstance, request: RandomRequest, { type, user }: Asker): Promise<string> {
  const caller = encodeURIComponent(JSON.stringify({ type, user }))
  const { statusCode, headers, payload } = await app.inject({ ...requestOf(request), headers: { 'x-caller': caller } })
  if (statusCode >= 500) throw new Error(`${statusCode}: ${payload}`)
  const { date: _, ...rest } = headers
  return `${JSON.stringify([statusCode, rest])} ${payload}`.replace(/dur=[\d.]+/g, 'dur')
}

function requestOf(request: RandomRequest): InjectOptions {
  const query = queryString(request.params)
  if (request.kind === 'page') return { method: 'GET', url: `/api/${request.root}s?${query}` }
  if (request.kind === 'one') return { method: 'GET', url: `/api/${request.root}s/${request.id}?${query}` }
  const { name, action, id, data } = request.write
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
