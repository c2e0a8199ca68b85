// The routes of the plugin: the model as far as the caller may know it. They only read.

import { type Kernel, type PluginHost, ValidationError } from '@plinth/kernel'
import { contextOf } from '@plinth/server/transport'
import { describeModel, type ModelDescription } from '@plinth/types'
import { actions } from './actions.ts'
import { describeModelRoutes } from './described.ts'
import { findRights } from './rights.ts'
import { formComponent, formContentType } from './schema-form.ts'
import { VisibleModel, type VisibleType } from './visible-model.ts'

type Request = Parameters<typeof contextOf>[0]

/** Adds the routes below `prefix` to the server. */
export function mountRoutes(app: PluginHost, kernel: Kernel, prefix: string): void {
  const base = `${prefix}/content-type-builder`
  const modelFor = async (request: Request, action: string) => {
    const context = await contextOf(request)
    kernel.authorize(action, context)
    return VisibleModel.of(kernel, context)
  }

  app.get(`${base}/content-types`, routeOf('listTypes'), async request => {
    const { types } = await modelFor(request, actions.listTypes)
    const kind = kindIn(request.query)
    return {
      data: contentTypesIn(types)
        .filter(({ type }) => kind === null || type.kind === kind)
        .map(formContentType),
    }
  })

  app.get(`${base}/content-types/:uid`, routeOf('readType'), async (request, reply) => {
    const visible = await modelFor(request, actions.readType)
    const visibleType = visible.find((request.params as { readonly uid: string }).uid)
    if (visibleType !== null && visibleType.type.kind !== 'component') return { data: formContentType(visibleType) }
    return reply.code(404).send({ error: 'contentType.notFound' })
  })

  app.get(`${base}/components`, routeOf('listComponents'), async request => {
    const { types } = await modelFor(request, actions.listComponents)
    return { data: [...types.values()].filter(({ type }) => type.kind === 'component').map(formComponent) }
  })

  app.get(`${base}/components/:uid`, routeOf('readComponent'), async (request, reply) => {
    const visible = await modelFor(request, actions.readComponent)
    const visibleType = visible.find((request.params as { readonly uid: string }).uid)
    if (visibleType !== null && visibleType.type.kind === 'component') return { data: formComponent(visibleType) }
    return reply.code(404).send({ error: 'component.notFound' })
  })

  // The model is frozen: only what a caller may know of it depends on the request.
  const model = describeModel(kernel)
  app.get(`${base}/model`, routeOf('readModel'), async request => {
    const visible = await modelFor(request, actions.readModel)
    return { data: describeVisible(model, visible) }
  })

  app.get(`${base}/rights`, routeOf('readRights'), async (request, reply) => {
    const context = await contextOf(request)
    kernel.authorize(actions.readRights, context)
    // Roles change without a change of the address.
    reply.header('cache-control', 'no-store')
    return { data: await findRights(kernel, context) }
  })
}

/** The options of a route. */
const routeOf = (name: keyof typeof actions) => ({
  config: { action: actions[name], operation: describeModelRoutes[name] },
})

const contentTypesIn = (types: ReadonlyMap<string, VisibleType>): readonly VisibleType[] =>
  [...types.values()].filter(({ type }) => type.kind !== 'component')

/** The kind that the caller restricts the list to; null for all. Throws ValidationError for another word, as v4 does. */
function kindIn(query: unknown): string | null {
  const { kind } = query as { readonly kind?: unknown }
  if (kind === undefined || kind === '') return null
  if (kind === 'collectionType' || kind === 'singleType') return kind
  throw new ValidationError('kind must be one of the following values: collectionType, singleType', { path: 'kind' })
}

/** The description of the types that the caller may know of. */
function describeVisible(model: ModelDescription, visible: VisibleModel): ModelDescription {
  const types = model.types.flatMap(described => {
    const visibleType = visible.find(described.uid)
    if (visibleType === null) return []
    const names = new Set(visibleType.attributes.map(({ name }) => name))
    return [{ ...described, attributes: described.attributes.filter(({ name }) => names.has(name)) }]
  })
  return { ...model, types }
}
