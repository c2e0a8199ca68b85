// Adds versions and conditions to the GraphQL schema, if the plugin graphql is enabled.

import type { Extension, ExtensionService, ExtensionTools } from '@plinth/graphql'
import { type ContentType, parseId } from '@plinth/kernel'
import { addCondition, Condition } from './condition.ts'
import { VersionLoader } from './loader.ts'
import type { VersionTools } from './write-checks.ts'

/** The writes that have a condition, and whether they name their entry. */
const hasId: Readonly<Record<string, boolean>> = { update: true, delete: true, put: false, deleteSingle: false }

/** Registers everything with the service of the plugin graphql. */
export function extendGraphql({ kernel, versions }: VersionTools, extension: ExtensionService): void {
  kernel.hooks.on('graphql:write', ({ type: { uid }, action, args, context }) => {
    const { id, ifMatch } = args
    if (typeof ifMatch !== 'string' || hasId[action] === undefined) return
    addCondition(context, new Condition({ uid, id: hasId[action] ? parseId(id) : null }, [ifMatch]))
  })
  const loader = new VersionLoader(versions)
  extension.use(tools => extensionOf(tools, loader))
}

/** The entity of a content type in the schema. */
interface Entity {
  readonly type: ContentType
  /** The name of the type in the schema. */
  readonly name: string
}

function extensionOf({ kernel, schema, graphql, typeName }: ExtensionTools, loader: VersionLoader): Extension {
  const entities: Entity[] = []
  for (const type of kernel.contentTypes.values()) {
    const name = type.kind === 'component' ? null : typeName(type.uid)
    if (name !== null && schema.getType(`${name}Entity`) !== undefined) entities.push({ type, name })
  }
  if (entities.length === 0) return {}
  const mutations = schema.getMutationType()?.getFields() ?? {}
  const conditional = entities.flatMap(({ name }) => [`update${name}`, `delete${name}`]).filter(one => one in mutations)
  const ifMatch = {
    type: graphql.GraphQLString,
    description: 'The version that the entry must have; without it, the mutation is not conditional',
  }
  return {
    typeDefs: entities.map(({ name }) => `extend type ${name}Entity { version: String }`),
    resolvers: Object.fromEntries(
      entities.map(({ type, name }) => [`${name}Entity`, { version: (entry: Entry) => loader.load(type, entry) }]),
    ),
    args: Object.fromEntries(conditional.map(field => [`Mutation.${field}`, { ifMatch }])),
  }
}

/** An entry as resolvers receive it. */
type Entry = Parameters<VersionLoader['load']>[1]
