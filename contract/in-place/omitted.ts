/**
 * Which recorded steps of the v4 database wait for plugins that Plinth does not have yet: decided by rule, counted by
 * reason, never by a step's name. The server is open, so nobody has to log in for the others.
 */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

export interface RecordedStep {
  readonly name: string
  readonly request: { readonly method: string; readonly path: string; readonly as?: string; readonly body?: unknown }
  readonly expect: { readonly status: number; readonly body: unknown }
}

/** Why a step is left out, in the order in which reasons are looked for. */
export const reasons = ['no route', 'rights', 'files and users', 'after GraphQL'] as const
export type Reason = (typeof reasons)[number]

/** How many steps are left out for each reason. */
export type Omitted = Readonly<Record<Reason, number>>

/** A recorded suite, divided. */
export interface Division {
  readonly replayed: readonly RecordedStep[]
  readonly omitted: Omitted
}

/** The routes of users-permissions, upload and graphql. */
const foreignRoute = /^\/(?:graphql|api\/(?:auth|users|users-permissions|upload))(?:[/?]|$)/

/** Divides the steps of one suite; `names` are the attributes that hold files or users. Nobody logs in. */
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
  // An open server forbids nothing.
  if (step.expect.status === 401 || step.expect.status === 403) return 'rights'
  if (asksFor(step.request.path, names) || shows(step.expect.body, names)) return 'files and users'
  return null
}

/** Does the query string name a file or user? */
function asksFor(path: string, names: ReadonlySet<string>): boolean {
  const query = decodeURIComponent(path.split('?')[1] ?? '')
  return query.split(/\W+/).some(word => names.has(word))
}

/** Does the answer hold one? What is empty is empty without the plugin, too. */
function shows(body: unknown, names: ReadonlySet<string>): boolean {
  if (body === null || typeof body !== 'object') return false
  return Object.entries(body).some(([key, value]) => {
    const data = names.has(key) ? (value as { data?: unknown } | null)?.data : null
    const isFilled = Array.isArray(data) ? data.length > 0 : data !== null && data !== undefined
    return isFilled || shows(value, names)
  })
}

/** The attributes of a project that hold files or point at another plugin's entries. */
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

/** A write without the files and users it names: entries that later steps build on are made all the same. */
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
