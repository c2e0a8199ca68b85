// Teasers of articles and dossiers in GraphQL, written with nexus: a field of generated types, and a plugin of nexus.

import type { Extension, ExtensionTools } from '@plinth/graphql'
import type * as Nexus from 'nexus'

/** The extension. nexus is loaded only because this reads it. */
export function teasers(tools: ExtensionTools): Extension {
  const nexus = tools.nexus as typeof Nexus
  const teaserOf = (type: string, attribute: string) =>
    nexus.extendType({
      type,
      definition: t =>
        t.field('teaser', {
          type: 'String',
          description: 'The beginning of the text',
          resolve: (entry: Readonly<Record<string, unknown>>) => entry[attribute],
          ...{ length: 60 },
        }),
    })
  return {
    types: [teaserOf('Article', 'standfirst'), teaserOf('Dossier', 'introduction')],
    plugins: [shortened(nexus)],
  }
}

/** A plugin of nexus: fields with a `length` are cut at the end of a word. */
function shortened({ plugin }: typeof Nexus) {
  return plugin({
    name: 'shortened',
    fieldDefTypes: 'length?: number',
    onCreateFieldResolver({ fieldConfig }) {
      const { length } = (fieldConfig.extensions?.nexus?.config ?? {}) as { readonly length?: number }
      if (length === undefined) return
      return async (parent, args, context, info, next) => {
        const text: unknown = await next(parent, args, context, info)
        return typeof text === 'string' ? cut(text, length) : text
      }
    },
  })
}

function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1).replace(/\s+\S*$/, '')}…`
}
