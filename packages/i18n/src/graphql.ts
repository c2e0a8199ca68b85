// The additions of the plugin to GraphQL, if the plugin graphql is enabled: the locale of new entries, the mutations
// that create translations, and the locales themselves (B-9.41, B-9.45 to B-9.47, B-9.80).

import type { Extension, ExtensionService, ExtensionTools, GraphQLResolveInfo, GraphqlContext } from '@plinth/graphql'
import type { ContentType } from '@plinth/kernel'
import { hasTranslationRoute, translateAction } from './actions.ts'
import { isLocalized, uid } from './locales.ts'
import { type TranslationTools, translate } from './translations.ts'

/** Registers everything with the service of the plugin graphql. */
export function extendGraphql(tools: TranslationTools, extension: ExtensionService): void {
  const { hooks } = tools.kernel
  extension.shadowCRUD(uid).disableMutations()
  hooks.on('preModel', { for: isLocalized }, draft => {
    // The locale is an argument, and translations have a mutation of their own.
    for (const name of ['locale', 'localizations']) extension.shadowCRUD(draft.uid).field(name).disableInput()
  })
  hooks.on('graphql:write', ({ type, action, data, args }) => {
    if ((action !== 'create' && action !== 'put') || !isLocalized(type)) return
    if (args.locale !== undefined && args.locale !== null) data.locale = args.locale
  })
  extension.use(extensionTools => translationsIn(tools, extensionTools))
}

/** The mutation of one type. */
interface Translation {
  readonly type: ContentType
  /** The name of the type in the schema. */
  readonly name: string
}

/** The mutations of all localized types that the schema can change. */
function translationsIn(tools: TranslationTools, { schema, typeName }: ExtensionTools): Extension {
  const mutations = schema.getMutationType()?.getFields() ?? {}
  const translations: Translation[] = []
  for (const type of tools.kernel.contentTypes.values()) {
    const name = hasTranslationRoute(type) ? typeName(type.uid) : null
    if (name !== null && ['create', 'update', 'delete'].some(verb => `${verb}${name}` in mutations))
      translations.push({ type, name })
  }
  if (translations.length === 0) return {}
  const mutation = ({ name }: Translation) => `create${name}Localization`
  const fields = translations.map(
    one => `${mutation(one)}(id: ID, data: ${one.name}Input, locale: I18NLocaleCode): ${one.name}EntityResponse`,
  )
  const byName = <Value>(of: (one: Translation) => Value) => translations.map(one => [mutation(one), of(one)] as const)
  const actions = byName(({ type }) => ({ action: translateAction(type) }))
  return {
    typeDefs: `extend type Mutation { ${fields.join('\n')} }`,
    resolvers: { Mutation: Object.fromEntries(byName(({ type }) => resolverOf(tools, type))) },
    resolversConfig: Object.fromEntries(actions.map(([name, config]) => [`Mutation.${name}`, config])),
  }
}

interface Arguments {
  readonly id?: string | null
  readonly data?: Readonly<Record<string, unknown>> | null
  readonly locale?: unknown
}

function resolverOf(tools: TranslationTools, type: ContentType) {
  return async (
    _source: unknown,
    args: Arguments,
    { caller, responseOf }: GraphqlContext,
    info: GraphQLResolveInfo,
  ) => {
    const response = responseOf(info)
    const created = await translate(tools, {
      type,
      id: args.id ?? undefined,
      body: { ...args.data, locale: args.locale },
      context: caller,
      params: () => response.answer('create', caller).params,
    })
    return response.show(created)
  }
}
