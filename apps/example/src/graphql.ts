// The additions of the application to the generated GraphQL schema, and the parts that it leaves out: one extension of
// each kind that docs/graphql.md describes. Removing the plugin from config/plugins.ts removes all of this.

import type { ExtensionService, GraphqlContext, ResolverConfig } from '@plinth/graphql'
import type { Kernel } from '@plinth/kernel'
import { teasers } from './teasers.ts'

const articleUid = 'api::article.article'
const authorUid = 'api::author.author'

/** Registers the extensions with the plugin graphql, if it is enabled. */
export function extendGraphql(kernel: Kernel): void {
  const extension = kernel.services.find('graphql', 'extension')
  const format = kernel.services.find('graphql', 'format')
  if (extension === null || format === null) return

  leaveOut(extension)

  // A middleware with a name, which settings refer to: a list is sorted by an attribute, unless the operation sorts it.
  extension.middleware('sorted', (options: { readonly by: string }) => (next, parent, args, context, info) => {
    const { sort } = args
    const isSorted = Array.isArray(sort) ? sort.length > 0 : Boolean(sort)
    return next(parent, isSorted ? args : { ...args, sort: options.by }, context, info)
  })

  // A query and a field of a generated type, in the schema language.
  extension.use({
    typeDefs: `
      extend type Query {
        "The article with that slug, in any language"
        articleBySlug(slug: String!): ArticleEntityResponse
      }
      extend type Article {
        "The first sentence of the body"
        opening: String!
      }
    `,
    resolvers: {
      Query: {
        async articleBySlug(_parent: unknown, args: { slug: string }, { caller }: GraphqlContext) {
          const { attributes } = kernel.contentTypes.require(articleUid)
          const everywhere = attributes.has('locale') ? { locale: 'all' } : {}
          const articles = kernel.query(articleUid, caller)
          const [article] = await articles.findMany({ filters: { slug: args.slug }, ...everywhere })
          return format.returnTypes.toEntityResponse(article, { args, resourceUID: articleUid })
        },
      },
      // The parent has all attributes of the article that the caller may read, whatever the operation selects.
      Article: { opening: ({ body }: { body: string }) => openingOf(body) },
    },
    resolversConfig,
  })

  // A type and a query in code.
  extension.use(({ graphql: { GraphQLInt, GraphQLNonNull, GraphQLObjectType } }) => {
    const countOf = (uid: string) => ({
      type: new GraphQLNonNull(GraphQLInt),
      resolve: (_parent: unknown, _args: unknown, { caller }: GraphqlContext) => kernel.query(uid, caller).count(),
    })
    const numbers = new GraphQLObjectType({
      name: 'MagazineNumbers',
      fields: { articles: countOf(articleUid), authors: countOf(authorUid) },
    })
    const query = new GraphQLObjectType({
      name: 'Query',
      fields: { magazineNumbers: { type: new GraphQLNonNull(numbers), resolve: () => ({}) } },
    })
    // `auth: false` opens this field; the counts below it are those of the caller.
    return { types: [query], resolversConfig: { 'Query.magazineNumbers': { auth: false } } }
  })

  // Fields written with nexus, and a plugin of it.
  extension.use(teasers)
}

/** Leaves out of the generated schema what GraphQL does not offer. REST has it all, for those who have the rights. */
function leaveOut(extension: ExtensionService): void {
  const shadowOf = (uid: string) => extension.shadowCRUD(uid)
  // The desks of authors are not for front ends.
  shadowOf('api::desk.desk').disable()
  // Tags are read with their articles, and corrections are made with the form of the desk.
  shadowOf('api::tag.tag').disableQueries()
  shadowOf('api::correction.correction').disableMutations()
  // Printed issues exist, and categories are those of the printed magazine.
  shadowOf('api::issue.issue').disableAction('delete')
  shadowOf('api::category.category').disableActions(['create', 'delete'])
  // The addresses of authors are not for readers. The server counts the minutes, lists are sorted by the position, and
  // whole texts are found by `_q`.
  shadowOf(authorUid).field('email').disable()
  shadowOf(articleUid).field('readingMinutes').disableInput()
  shadowOf('api::category.category').field('position').disableOutput()
  shadowOf(articleUid).field('body').disableFilters()
}

/** The rights that fields need, and the code around them. */
const resolversConfig: Readonly<Record<string, ResolverConfig>> = {
  'Query.articleBySlug': {
    // Without this, a query of the application is for callers with credentials only.
    auth: { scope: [`${articleUid}.findOne`] },
    // A policy as a function: what cannot be a slug is not looked up.
    policies: [({ args }) => /^[a-z0-9-]{1,200}$/.test(String(args?.slug))],
  },
  // A policy: src/policies/without-links.ts.
  'Mutation.createComment': { policies: ['global::without-links'] },
  // A middleware by its name: the newest comments of an article come first.
  'Article.comments': { middlewares: [{ name: 'sorted', options: { by: 'postedAt:desc' } }] },
  // A middleware as a function: a search is the same with and without spaces around it.
  'Query.authors': {
    middlewares: [
      (next, parent, args, context, info) => {
        const { name = {} } = (args.filters ?? {}) as { readonly name?: { readonly contains?: string } }
        const filters = { ...(args.filters as object), name: { ...name, contains: name.contains?.trim() } }
        return next(parent, name.contains === undefined ? args : { ...args, filters }, context, info)
      },
    ],
  },
}

/** The first sentence of a text, without its headings. */
function openingOf(body: string): string {
  const text = body.replace(/^#.*$/gm, '').trim()
  return /^.*?[.!?](?=\s|$)/s.exec(text)?.[0].replace(/\s+/g, ' ') ?? text
}
