// The routes of the plugin: v4's of the admin panel, below the path of the API, for callers who may write the attribute.

import { type Context, ForbiddenError, isRecord, type Kernel, type PluginHost, ValidationError } from '@plinth/kernel'
import { contextOf } from '@plinth/server/transport'
import { actions } from './actions.ts'
import { describeCheck, describeGeneration } from './described.ts'
import { findFree, isFree, type SlugField, slugFor, slugsOf } from './slugs.ts'

/** The values that v4 accepts. */
const form = /^[A-Za-z0-9\-_.~]+$/

/** Adds the routes below `prefix` to the server. */
export function mountRoutes(app: PluginHost, kernel: Kernel, prefix: string): void {
  const base = `${prefix}/slugs`
  const generation = { action: actions.generate, operation: describeGeneration }
  app.post(`${base}/generate`, { config: generation }, async request => {
    const context = await contextOf(request)
    kernel.authorize(actions.generate, context)
    const body = bodyOf(request.body, ['contentTypeUID', 'field', 'data'])
    const field = fieldOf(kernel, body, context)
    if (!isRecord(body.data)) throw fault('data', 'must be an object')
    return { data: await findFree(kernel, field, slugFor(field, body.data)) }
  })

  const check = { action: actions.check, operation: describeCheck }
  app.post(`${base}/check-availability`, { config: check }, async request => {
    const context = await contextOf(request)
    kernel.authorize(actions.check, context)
    const body = bodyOf(request.body, ['contentTypeUID', 'field', 'value'])
    const field = fieldOf(kernel, body, context)
    const { value } = body
    if (typeof value !== 'string' || !form.test(value)) throw fault('value', `must match ${form}`)
    if (await isFree(kernel, field, value)) return { isAvailable: true, suggestion: null }
    return { isAvailable: false, suggestion: await findFree(kernel, field, value) }
  })
}

type Body = Readonly<Record<string, unknown>>

function bodyOf(body: unknown, names: readonly string[]): Body {
  if (!isRecord(body)) throw new ValidationError('The body must be an object')
  for (const name of Object.keys(body)) if (!names.includes(name)) throw fault(name, 'is not known')
  return body
}

/**
 * The attribute that a body names. Throws ForbiddenError if the caller may neither create nor update entries of the type,
 * also if there is no such type, and ValidationError if the type has no attribute of this name that it may write.
 */
function fieldOf(kernel: Kernel, { contentTypeUID: uid, field: name }: Body, context: Context): SlugField {
  if (typeof uid !== 'string') throw fault('contentTypeUID', 'must be the uid of a content type')
  if (typeof name !== 'string') throw fault('field', 'must be the name of an attribute')
  const { actions: all, contentTypes, writer } = kernel
  const type = contentTypes.get(uid)
  const allowed = (['create', 'update'] as const).filter(action => {
    if (type === undefined || type.kind === 'component') return false
    const needed = all.of(uid, action)
    return all.has(needed) && all.needs(needed).every(scope => context.access.can(scope))
  })
  if (allowed.length === 0) throw new ForbiddenError()
  const attribute = slugsOf(type!).find(one => one.name === name)
  const isWritable = (action: 'create' | 'update') =>
    writer.entries.writableAttributes({ uid, action, context }).get(uid)!.writable.includes(name)
  if (attribute === undefined || !allowed.some(isWritable))
    throw fault('field', `is not an attribute of the type uid that the caller may write`)
  return { type: type!, attribute }
}

const fault = (name: string, what: string) =>
  ValidationError.ofFields([{ path: [name], message: `${name} ${what}`, name: 'ValidationError' }])
