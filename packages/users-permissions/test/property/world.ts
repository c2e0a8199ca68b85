// Five content types that point at each other both ways, as schemas and as shapes for the naive model, and what they
// hold, in memory.

export type Name = 'team' | 'person' | 'article' | 'comment' | 'label'
export type Family = 'text' | 'integer' | 'boolean'
export type Scalar = string | number | boolean

/** A relation: `inverse` is the attribute of the target that is its other side. */
export interface Join {
  readonly to: Name
  readonly kind: 'oneToOne' | 'oneToMany' | 'manyToOne' | 'manyToMany'
  readonly inverse: string | null
  /** Whether the schema of this side determines the table. */
  readonly isOwner: boolean
}

export interface Shape {
  readonly scalars: Readonly<Record<string, Family>>
  readonly joins: Readonly<Record<string, Join>>
}

const manyToOne = (to: Name, inverse: string): Join => ({ to, kind: 'manyToOne', inverse, isOwner: true })
const oneToMany = (to: Name, inverse: string): Join => ({ to, kind: 'oneToMany', inverse, isOwner: false })
const manyToMany = (to: Name, inverse: string, isOwner: boolean): Join => ({ to, kind: 'manyToMany', inverse, isOwner })

export const shapes: Readonly<Record<Name, Shape>> = {
  team: {
    scalars: { name: 'text', size: 'integer' },
    joins: {
      members: oneToMany('person', 'team'),
      lead: { to: 'person', kind: 'oneToOne', inverse: null, isOwner: true },
    },
  },
  person: {
    scalars: { name: 'text', age: 'integer', active: 'boolean' },
    joins: {
      team: manyToOne('team', 'members'),
      articles: oneToMany('article', 'author'),
      comments: oneToMany('comment', 'writer'),
      labels: manyToMany('label', 'people', true),
    },
  },
  article: {
    scalars: { title: 'text', pages: 'integer', secret: 'text' },
    joins: {
      author: manyToOne('person', 'articles'),
      comments: oneToMany('comment', 'article'),
      labels: manyToMany('label', 'articles', true),
    },
  },
  comment: {
    scalars: { text: 'text', stars: 'integer' },
    joins: { article: manyToOne('article', 'comments'), writer: manyToOne('person', 'comments') },
  },
  label: {
    scalars: { word: 'text', weight: 'integer' },
    joins: {
      articles: manyToMany('article', 'labels', false),
      people: manyToMany('person', 'labels', false),
      parent: manyToOne('label', 'children'),
      children: oneToMany('label', 'parent'),
    },
  },
}

/** In the order in which entries are made: links point back. */
export const names = ['team', 'label', 'person', 'article', 'comment'] as const satisfies readonly Name[]

export const isMany = ({ kind }: Join) => kind === 'oneToMany' || kind === 'manyToMany'
export const uidOf = (name: Name) => `api::${name}.${name}`
export const actionOf = (name: Name, operation: string) => `${uidOf(name)}.${operation}`

/** An entry, with its links in both directions. */
export interface Row {
  readonly name: Name
  readonly id: number
  readonly values: Record<string, Scalar | null>
  readonly links: Record<string, Row[]>
}

/** All entries by type and id. */
export type World = Readonly<Record<Name, Map<number, Row>>>

export const emptyWorld = (): World => ({
  team: new Map(),
  person: new Map(),
  article: new Map(),
  comment: new Map(),
  label: new Map(),
})

/** The values of attributes, a few of each family, so that they meet. */
export const pools: Readonly<Record<Family, readonly Scalar[]>> = {
  text: ['alpha', 'Alpha', 'beta', 'gamma 1', '2', ''],
  integer: [0, 1, 2, 3, 5],
  boolean: [true, false],
}

const typeWords: Readonly<Record<Family, string>> = { text: 'string', integer: 'integer', boolean: 'boolean' }

/** The schemas; `isPrivate` says which attributes of which type are private. */
export function schemas(isPrivate: (name: Name, attribute: string) => boolean = () => false): object[] {
  return names.map(name => {
    const { scalars, joins } = shapes[name]
    const attributes: Record<string, object> = {}
    for (const [key, family] of Object.entries(scalars))
      attributes[key] = { type: typeWords[family], private: isPrivate(name, key) }
    for (const [key, { to, kind, inverse, isOwner }] of Object.entries(joins)) {
      const side = inverse === null ? {} : { [isOwner ? 'inversedBy' : 'mappedBy']: inverse }
      attributes[key] = { type: 'relation', relation: kind, target: uidOf(to), ...side, private: isPrivate(name, key) }
    }
    const info = { singularName: name, pluralName: `${name}s`, displayName: name }
    return { kind: 'collectionType', collectionName: `${name}s`, info, attributes }
  })
}

/** Links two rows, in both directions. */
export function link(row: Row, key: string, target: Row): void {
  const { inverse } = shapes[row.name].joins[key]!
  row.links[key]!.push(target)
  if (inverse !== null) target.links[inverse]!.push(row)
}

export function emptyRow(name: Name, id: number): Row {
  const links = Object.fromEntries(Object.keys(shapes[name].joins).map(key => [key, [] as Row[]]))
  return { name, id, values: {}, links }
}
