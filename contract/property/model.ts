/**
 * A small library as a model: every family of scalars, every kind of relation, and nested components. It is declared
 * twice, as schemas for Plinth and as shapes for the naive model. Nothing checks that the two agree.
 */

/** How values of an attribute are compared. */
export type Family = 'text' | 'enumeration' | 'integer' | 'big' | 'number' | 'boolean' | 'date' | 'time' | 'datetime'

export type Scalar = string | number | boolean

export interface Shape {
  readonly scalars: Readonly<Record<string, Family>>
  /** Relations and components: a filter joins both. */
  readonly joins: Readonly<Record<string, { readonly to: ShapeName; readonly many: boolean }>>
}

/** An entry or a component in memory. */
export interface Row {
  readonly id: number
  readonly values: Readonly<Record<string, Scalar | null>>
  readonly links: Record<string, Row[]>
}

export type ShapeName = 'author' | 'book' | 'tag' | 'address' | 'chapter' | 'note' | 'seo'

const one = (to: ShapeName) => ({ to, many: false })
const many = (to: ShapeName) => ({ to, many: true })

export const shapes: Readonly<Record<ShapeName, Shape>> = {
  author: {
    scalars: { name: 'text', age: 'integer', born: 'date', active: 'boolean' },
    joins: { books: many('book'), mentor: one('author'), pupils: many('author'), address: one('address') },
  },
  book: {
    scalars: {
      title: 'text',
      summary: 'text',
      kind: 'enumeration',
      pages: 'integer',
      sold: 'big',
      price: 'number',
      ratio: 'number',
      available: 'boolean',
      released: 'date',
      readAt: 'time',
      printed: 'datetime',
    },
    joins: {
      author: one('author'),
      tags: many('tag'),
      reviewers: many('author'),
      sequel: one('book'),
      seo: one('seo'),
      chapters: many('chapter'),
    },
  },
  tag: { scalars: { label: 'text', weight: 'integer' }, joins: { books: many('book') } },
  address: { scalars: { city: 'text', zip: 'integer' }, joins: {} },
  chapter: { scalars: { heading: 'text', length: 'integer' }, joins: { notes: many('note'), topic: one('tag') } },
  note: { scalars: { text: 'text', stars: 'integer' }, joins: {} },
  seo: { scalars: { metaTitle: 'text', rank: 'integer' }, joins: { note: one('note') } },
}

/** The types that have entries, in the order in which entries can be created. */
export const roots = ['tag', 'author', 'book'] as const
export type Root = (typeof roots)[number]

export const uids: Readonly<Record<Root, string>> = {
  tag: 'api::tag.tag',
  author: 'api::author.author',
  book: 'api::book.book',
}

const relation = (kind: string, target: string, side: Record<string, string> = {}) => ({
  type: 'relation',
  relation: kind,
  target: `api::${target}.${target}`,
  ...side,
})
const component = (name: string, repeatable = false) => ({
  type: 'component',
  component: `library.${name}`,
  repeatable,
})
const info = (name: string) => ({ singularName: name, pluralName: `${name}s`, displayName: name })

export const contentTypes = [
  {
    kind: 'collectionType' as const,
    collectionName: 'authors',
    info: info('author'),
    attributes: {
      name: { type: 'string' },
      age: { type: 'integer' },
      born: { type: 'date' },
      active: { type: 'boolean' },
      books: relation('oneToMany', 'book', { mappedBy: 'author' }),
      mentor: relation('manyToOne', 'author', { inversedBy: 'pupils' }),
      pupils: relation('oneToMany', 'author', { mappedBy: 'mentor' }),
      address: component('address'),
    },
  },
  {
    kind: 'collectionType' as const,
    collectionName: 'books',
    info: info('book'),
    attributes: {
      title: { type: 'string' },
      summary: { type: 'text' },
      kind: { type: 'enumeration', enum: ['novel', 'Essay', 'poem'] },
      pages: { type: 'integer' },
      sold: { type: 'biginteger' },
      price: { type: 'decimal' },
      ratio: { type: 'float' },
      available: { type: 'boolean' },
      released: { type: 'date' },
      readAt: { type: 'time' },
      printed: { type: 'datetime' },
      author: relation('manyToOne', 'author', { inversedBy: 'books' }),
      tags: relation('manyToMany', 'tag', { inversedBy: 'books' }),
      reviewers: relation('oneToMany', 'author'),
      sequel: relation('oneToOne', 'book'),
      seo: component('seo'),
      chapters: component('chapter', true),
    },
  },
  {
    kind: 'collectionType' as const,
    collectionName: 'tags',
    info: info('tag'),
    attributes: {
      label: { type: 'string' },
      weight: { type: 'integer' },
      books: relation('manyToMany', 'book', { mappedBy: 'tags' }),
    },
  },
]

export const components = {
  'library.address': {
    collectionName: 'components_library_addresses',
    attributes: { city: { type: 'string' }, zip: { type: 'integer' } },
  },
  'library.chapter': {
    collectionName: 'components_library_chapters',
    attributes: {
      heading: { type: 'string' },
      length: { type: 'integer' },
      notes: component('note', true),
      topic: relation('oneToOne', 'tag'),
    },
  },
  'library.note': {
    collectionName: 'components_library_notes',
    attributes: { text: { type: 'text' }, stars: { type: 'integer' } },
  },
  'library.seo': {
    collectionName: 'components_library_seos',
    attributes: { metaTitle: { type: 'string' }, rank: { type: 'integer' }, note: component('note') },
  },
}
