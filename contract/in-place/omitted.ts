/**
 * Decides by rules which recorded steps of the v4 database a server without users, tokens, GraphQL and files can answer,
 * and counts the others by reason; no step is listed by name. The server checks no rights, so its steps need no login.
 */

import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

export interface RecordedStep {
  readonly name: string
  readonly request: { readonly method: string; readonly path: string; readonly as?: string; readonly body?: unknown }
  readonly expect: { readonly status: number; readonly body: unknown }
}

/** The reasons for which a step is omitted, in the order in which they are tested. */
export const reasons = ['no route', 'rights', 'files and users', 'after GraphQL'] as const
export type Reason = (typeof reasons)[number]

/** The number of omitted steps for each reason. */
export type Omitted = Readonly<Record<Reason, number>>

/** A recorded suite, divided into steps that are replayed and steps that are omitted. */
export interface Division {
  readonly replayed: readonly RecordedStep[]
  readonly omitted: Omitted
}

/** The routes of users-permissions, upload and graphql. */
const foreignRoute = /^\/(?:graphql|api\/(?:auth|users|users-permissions|upload))(?:[/?]|$)/

/** Divides the steps of one suite; `names` are the attributes that contain files or users. Logins are removed. */
export function divide(steps: readonly RecordedStep[], names: ReadonlySet<string>): Division {
  const omitted = Object.fromEntries(reasons.map(reason => [reason, 0])) as Record<Reason, number>
  const replayed: RecordedStep[] = []
  let isAfterGraphql = false
  for (const recorded of steps) {
    const { as: _, ...request } = recorded.request
    const step = { ...recorded, request }
    const reason = isAfterGraphql ? 'after GraphQL' : reasonFor(step, names)
    if (request.path === '/graphql' && /^\s*mutation\b/.test(queryOf(step))) isAfterGraphql = true
    if (reason === null) replayed.push(step)
    else if (reason === 'files and users' && request.method !== 'GET') replayed.push(withoutForeign(step, names))
    else omitted[reason]++
  }
  return { replayed, omitted }
}

const queryOf = ({ request }: RecordedStep) => String((request.body as { query?: unknown } | undefined)?.query)

function reasonFor(step: RecordedStep, names: ReadonlySet<string>): Reason | null {
  if (foreignRoute.test(step.request.path)) return 'no route'
  // A server that checks no rights answers no request with 403.
  if (step.expect.status === 401 || step.expect.status === 403) return 'rights'
  if (asksFor(step.request.path, names) || shows(step.expect.body, names)) return 'files and users'
  return null
}

/** Whether the query string names a file or a user. */
function asksFor(path: string, names: ReadonlySet<string>): boolean {
  const query = decodeURIComponent(path.split('?')[1] ?? '')
  return query.split(/\W+/).some(word => names.has(word))
}

/** Whether the body contains a file or a user. An empty value is empty without the plugin too. */
function shows(body: unknown, names: ReadonlySet<string>): boolean {
  if (body === null || typeof body !== 'object') return false
  return Object.entries(body).some(([key, value]) => {
    const data = names.has(key) ? (value as { data?: unknown } | null)?.data : null
    const isFilled = Array.isArray(data) ? data.length > 0 : data !== null && data !== undefined
    return isFilled || shows(value, names)
  })
}

/** The attributes of a project that contain files or that lead to entries of another plugin. */
export async function foreignNames(project: string): Promise<Set<string>> {
  const files = await readdir(join(project, 'src'), { recursive: true })
  const names = new Set<string>()
  for (const file of files.filter(name => name.endsWith('.json'))) {
    const { attributes } = JSON.parse(await readFile(join(project, 'src', file), 'utf8')) as {
      attributes: Record<string, { type: string; target?: string }>
    }
    for (const [name, { type, target }] of Object.entries(attributes)) {
      if (type === 'media' || target?.startsWith('plugin::')) names.add(name)
    }
  }
  return names
}

/** The write without the files and users that it names, so that the entries on which later steps depend exist. */
export function withoutForeign(step: RecordedStep, names: ReadonlySet<string>): RecordedStep {
  const [path, query = ''] = step.request.path.split('?')
  const kept = query.split('&').filter(part => !asksFor(`?${part.split('=')[0]}`, names))
  const request = {
    ...step.request,
    path: kept.length > 0 ? `${path}?${kept.join('&')}` : path!,
    body: withoutKeys(step.request.body, names),
  }
  return { ...step, request, expect: { ...step.expect, body: withoutKeys(step.expect.body, names) } }
}

function withoutKeys(value: unknown, names: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.map(one => withoutKeys(one, names))
  if (value === null || typeof value !== 'object') return value
  const kept = Object.entries(value).filter(([key]) => !names.has(key))
  return Object.fromEntries(kept.map(([key, one]) => [key, withoutKeys(one, names)]))
}
