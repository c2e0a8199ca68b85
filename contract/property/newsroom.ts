/**
 * A model with localized and other types, with drafts and without, and relations between all of them. It is declared
 * twice: as schemas for Plinth, and as shapes for random queries.
 */

export type ShapeName = 'article' | 'category' | 'author' | 'tag' | 'credit'

export interface Shape {
  /** The plural name, as it appears in paths; null for a component. */
  readonly plural: string | null
  readonly texts: readonly string[]
  readonly numbers: readonly string[]
  readonly joins: Readonly<Record<string, { readonly to: ShapeName; readonly many: boolean }>>
  readonly localized: boolean
  readonly drafts: boolean
}

const one = (to: ShapeName) => ({ to, many: false })
const many = (to: ShapeName) => ({ to, many: true })

export const shapes: Readonly<Record<ShapeName, Shape>> = {
  article: {
    plural: 'articles',
    texts: ['title', 'locale'],
    numbers: ['score'],
    joins: {
      author: one('author'),
      category: one('category'),
      tags: many('tag'),
      related: many('article'),
      credits: many('credit'),
      localizations: many('article'),
    },
    localized: true,
    drafts: true,
  },
  category: {
    plural: 'categories',
    texts: ['name', 'locale'],
    numbers: [],
    joins: { parent: one('category'), articles: many('article'), localizations: many('category') },
    localized: true,
    drafts: false,
  },
  author: {
    plural: 'authors',
    texts: ['name'],
    numbers: ['age'],
    joins: { articles: many('article'), mentor: one('author'), pupils: many('author'), favourite: one('tag') },
    localized: false,
    drafts: true,
  },
  tag: {
    plural: 'tags',
    texts: ['label'],
    numbers: [],
    joins: { articles: many('article'), best: one('article') },
    localized: false,
    drafts: false,
  },
  credit: { plural: null, texts: ['note'], numbers: [], joins: { by: one('author') }, localized: false, drafts: false },
}

export const roots = ['article', 'category', 'author', 'tag'] as const
export type Root = (typeof roots)[number]

export const locales = ['en', 'fr', 'de'] as const
export const words = ['a', 'b', 'ab'] as const

export const uid = (name: ShapeName) => `api::${name}.${name}`

const to = (relation: string, name: ShapeName, side: Record<string, string> = {}) => ({
  type: 'relation',
  relation,
  target: uid(name),
  ...side,
})
const translated = { i18n: { localized: true } }
const type = (name: Root, attributes: Record<string, unknown>) => ({
  kind: 'collectionType' as const,
  collectionName: shapes[name].plural!,
  info: { singularName: name, pluralName: shapes[name].plural!, displayName: name },
  options: { draftAndPublish: shapes[name].drafts },
  pluginOptions: shapes[name].localized ? translated : {},
  attributes,
})

export const contentTypes = [
  type('article', {
    title: { type: 'string', pluginOptions: translated },
    score: { type: 'integer' },
    author: to('manyToOne', 'author', { inversedBy: 'articles' }),
    category: to('manyToOne', 'category', { inversedBy: 'articles' }),
    tags: to('manyToMany', 'tag', { inversedBy: 'articles' }),
    related: to('manyToMany', 'article'),
    credits: { type: 'component', component: 'news.credit', repeatable: true, pluginOptions: translated },
  }),
  type('category', {
    name: { type: 'string', pluginOptions: translated },
    parent: to('manyToOne', 'category'),
    articles: to('oneToMany', 'article', { mappedBy: 'category' }),
  }),
  type('author', {
    name: { type: 'string' },
    age: { type: 'integer' },
    articles: to('oneToMany', 'article', { mappedBy: 'author' }),
    mentor: to('manyToOne', 'author', { inversedBy: 'pupils' }),
    pupils: to('oneToMany', 'author', { mappedBy: 'mentor' }),
    favourite: to('oneToOne', 'tag'),
  }),
  type('tag', {
    label: { type: 'string' },
    articles: to('manyToMany', 'article', { mappedBy: 'tags' }),
    best: to('oneToOne', 'article'),
  }),
]

export const components = {
  'news.credit': {
    collectionName: 'components_news_credits',
    attributes: { note: { type: 'string' }, by: to('oneToOne', 'author') },
  },
}
