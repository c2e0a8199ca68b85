// Writes operations from what routes say about themselves and from the rights that they need. A route that nobody
// describes is an operation too, of which only the path is known.

import type { Kernel } from '@plinth/kernel'
import type { DescribedAnswer, DescribedOperation, DescribedParameter, SchemaTools } from '@plinth/server/transport'
import type { DocumentedRoute } from './documented-routes.ts'
import { errorAnswers } from './errors.ts'
import { operationBySchema } from './fastify-schema.ts'

/** An operation of a document, and where it stands. */
export interface Operation {
  /** `/articles/{id}` */
  readonly path: string
  /** In lower case. */
  readonly method: string
  readonly tag: string
  readonly object: Readonly<Record<string, unknown>>
}

/** The tag of routes that nobody describes. */
const otherTag = 'Other'

/** A route, and what is needed to write its operation. */
export interface OperationParts {
  readonly kernel: Pick<Kernel, 'actions'>
  readonly route: DocumentedRoute
  /** As it stands in the document. */
  readonly path: string
  readonly tools: SchemaTools
}

/** Returns the operation of a route; null if the route leaves its method to the other ones. */
export function operationOf({ kernel: { actions }, route, path, tools }: OperationParts): Operation | null {
  const described =
    route.describe?.(tools) ?? operationBySchema(route.schema ?? {}, otherTag, `${route.method} ${path}`)
  const { tag, summary, body, caller, methods } = described
  if (!(methods ?? [route.method]).includes(route.method)) return null
  const method = route.method.toLowerCase()
  const isUnknown = Object.keys(described.answers).length === 0
  const rights = route.action === null ? [] : actions.needs(route.action)
  const isOpen = rights.length === 0 && caller === undefined
  const parameters = parametersOf(described, path)
  const description = [described.description, needOf(rights, caller)].filter(one => one !== undefined).join('\n\n')
  const object = {
    operationId: `${method}${path}`,
    tags: [tag],
    summary,
    ...(description !== '' && { description }),
    ...(parameters.length > 0 && { parameters }),
    ...(body !== undefined && {
      requestBody: { required: body.required ?? true, content: mapped(body.content, schema => ({ schema })) },
    }),
    responses: {
      ...mapped({ ...errorAnswers(tools.error), ...described.answers }, answerOf),
      ...(isUnknown && { default: { description: 'The route does not describe its answer' } }),
    },
    // A document has one security requirement for all others.
    ...(isOpen && { security: [] }),
    ...(rights.length > 0 && { 'x-rights': rights }),
  }
  return { path, method, tag, object }
}

function needOf(rights: readonly string[], caller: string | undefined): string | undefined {
  if (caller !== undefined) return `Needs ${caller}.`
  if (rights.length === 0) return undefined
  return `Needs the right ${rights.map(one => `\`${one}\``).join(' and ')}.`
}

/** Those that the route describes and that its path has, and texts for the other ones of the path. */
function parametersOf({ parameters = [] }: Pick<DescribedOperation, 'parameters'>, path: string) {
  const inPath = [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name!)
  const described = parameters.filter(one => one.in !== 'path' || inPath.includes(one.name))
  const names = described.filter(one => one.in === 'path').map(one => one.name)
  const rest = inPath
    .filter(name => !names.includes(name))
    .map((name): DescribedParameter => ({ name, in: 'path', required: true, schema: { type: 'string' } }))
  return [...rest, ...described].map(one => (one.style === undefined ? one : { ...one, explode: true }))
}

function answerOf({ description, schema, mediaType = 'application/json', headers }: DescribedAnswer) {
  return {
    description,
    ...(headers !== undefined && { headers }),
    ...(schema !== undefined && { content: { [mediaType]: { schema } } }),
  }
}

function mapped<In, Out>(object: Readonly<Record<string, In>>, map: (one: In) => Out): Record<string, Out> {
  return Object.fromEntries(Object.entries(object).map(([key, one]) => [key, map(one)]))
}
