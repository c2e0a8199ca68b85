// Puts the document together (B-12): paths below the prefix of the API, and those of the rest of the server with an
// address of their own.

import type { ContentType, Kernel } from '@plinth/kernel'
import type { DocumentedRoute } from './documented-routes.ts'
import { type Operation, operationOf } from './operations.ts'
import { below, documentedPath } from './paths.ts'
import { Schemas } from './schemas.ts'

/** The description of the whole API. */
export interface DocumentInfo {
  readonly title: string
  readonly version: string
  readonly description?: string
}

/** The parts of which a document is made. */
export interface DocumentParts {
  readonly kernel: Pick<Kernel, 'actions' | 'contentTypes' | 'parameters' | 'log'>
  readonly routes: readonly DocumentedRoute[]
  readonly info: DocumentInfo
  /** The address of the server, without a slash at its end; empty if it is not known. */
  readonly serverUrl: string
  /** The path of the API, such as `/api`; empty for none. */
  readonly prefix: string
}

/** An OpenAPI document. */
export type OpenApiDocument = Readonly<Record<string, unknown>> & {
  readonly openapi: string
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly components: Readonly<Record<string, unknown>> & {
    readonly schemas: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  }
}

/** Makes the document of a server whose routes are all added. */
export function makeDocument(parts: DocumentParts): OpenApiDocument {
  const { kernel, info, serverUrl, prefix } = parts
  const entryNames = new Map<string, string>()
  // The first round only learns how routes call the entries of their types.
  operationsOf(parts, new Schemas(kernel, entryNames))
  const schemas = new Schemas(kernel, entryNames)
  const operations = operationsOf(parts, schemas)
  const tags = tagsOf(kernel.contentTypes.values(), schemas, operations)
  return {
    openapi: '3.1.0',
    info,
    servers: [{ url: `${serverUrl}${prefix}` || '/' }],
    tags,
    paths: pathsOf(
      operations,
      tags.map(({ name }) => name),
    ),
    components: {
      schemas: schemas.all,
      securitySchemes: { bearerAuth: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
    },
    security: [{ bearerAuth: [] }],
  }
}

/** An operation, and the address of its path if it is not below that of the API. */
interface PlacedOperation extends Operation {
  readonly server: string | null
}

function operationsOf(parts: DocumentParts, schemas: Schemas): readonly PlacedOperation[] {
  const { kernel, routes, prefix, serverUrl } = parts
  const placed: PlacedOperation[] = []
  const servers = new Map<string, string | null>()
  for (const route of routes) {
    const own = below(prefix, route.url)
    const path = documentedPath(own ?? route.url)
    const server = own === null ? serverUrl || '/' : null
    if ((servers.get(path) ?? server) !== server) {
      kernel.log.warn(`openapi: ${route.method} ${route.url} is left out, because ${prefix}${path} has the same path`)
      continue
    }
    servers.set(path, server)
    const operation = operationOf({ kernel, route, path, tools: schemas })
    if (operation !== null) placed.push({ ...operation, server })
  }
  return placed
}

interface Tag {
  readonly name: string
  readonly description?: string
}

/** The tags of the application's own types first. */
function tagsOf(types: readonly ContentType[], schemas: Schemas, operations: readonly Operation[]): readonly Tag[] {
  const used = new Set(operations.map(({ tag }) => tag))
  const own = types
    .filter(({ uid }) => uid.startsWith('api::'))
    .map(({ uid, info }) => {
      const { description } = info
      const name = schemas.nameOf(uid)
      return typeof description === 'string' && description !== '' ? { name, description } : { name }
    })
    .filter(({ name }) => used.has(name))
  const names = new Set(own.map(({ name }) => name))
  const others = [...used].filter(name => !names.has(name)).map(name => ({ name }))
  const byName = (a: Tag, b: Tag) => (a.name < b.name ? -1 : 1)
  return [...own.sort(byName), ...others.sort(byName)]
}

function pathsOf(operations: readonly PlacedOperation[], tags: readonly string[]) {
  const paths: Record<string, Record<string, unknown>> = {}
  const rank = ({ tag }: Operation) => tags.indexOf(tag)
  const sorted = operations.toSorted((a, b) => rank(a) - rank(b) || (a.path < b.path ? -1 : a.path > b.path ? 1 : 0))
  for (const { path, method, object, server } of sorted) {
    paths[path] ??= server === null ? {} : { servers: [{ url: server }] }
    // A route may stand twice, for versions of a client.
    paths[path][method] ??= object
  }
  return paths
}
