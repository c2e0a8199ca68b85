/**
 * Random content for the model, and the two places it is written to: rows in memory and, by the kernel's `create`, a
 * database. Ids start with 1 in both.
 */

import fc from 'fast-check'
import { components, contentTypes, type Root, type Row, type Scalar, type ShapeName, shapes, uids } from './model.ts'
import { pools } from './values.ts'

type Values = Readonly<Record<string, Scalar | null>>
type Part = {
  readonly values: Values
  readonly parts: Readonly<Record<string, readonly Part[]>>
  readonly topic: number
}

interface Draft extends Part {
  /** Indexes of linked entries, modulo the number of entries that exist when the entry is created. */
  readonly links: Readonly<Record<string, readonly number[]>>
}

export type Plan = Readonly<Record<Root, readonly Draft[]>>
export type Library = Readonly<Record<Root, Row[]>>

/** The types to which a relation may refer: only those whose entries already exist. */
const targets: Readonly<Record<string, Root>> = {
  author: 'author',
  tags: 'tag',
  reviewers: 'author',
  sequel: 'book',
  mentor: 'author',
  topic: 'tag',
}
const parts: Readonly<Record<string, readonly string[]>> = {
  book: ['seo', 'chapters'],
  author: ['address'],
  chapter: ['notes'],
  seo: ['note'],
}
const links: Readonly<Record<Root, readonly string[]>> = {
  tag: [],
  author: ['mentor'],
  book: ['author', 'tags', 'reviewers', 'sequel'],
}

function values(shape: ShapeName): fc.Arbitrary<Values> {
  const families = Object.entries(shapes[shape].scalars)
  return fc.record(
    Object.fromEntries(
      families.map(([name, family]) => [name, fc.option(fc.constantFrom(...pools[family]), { freq: 4, nil: null })]),
    ),
  )
}

function part(shape: ShapeName): fc.Arbitrary<Part> {
  const inner = (parts[shape] ?? []).map(name => {
    const { to, many } = shapes[shape].joins[name]!
    return [name, fc.array(part(to), { maxLength: many ? 3 : 1 })] as const
  })
  return fc.record({
    values: values(shape),
    parts: fc.record(Object.fromEntries(inner)),
    topic: fc.integer({ min: 0, max: 40 }),
  })
}

function drafts(root: Root, minLength: number, maxLength: number): fc.Arbitrary<Draft[]> {
  const linked = links[root].map(name => {
    const { many } = shapes[root].joins[name]!
    return [name, fc.uniqueArray(fc.integer({ min: 0, max: 40 }), { maxLength: many ? 4 : 1 })] as const
  })
  const draft = fc.tuple(part(root), fc.record(Object.fromEntries(linked))).map(([made, links]) => ({ ...made, links }))
  return fc.array(draft, { minLength, maxLength, size: 'max' })
}

/** The content of all types. */
export const plans: fc.Arbitrary<Plan> = fc.record({
  tag: drafts('tag', 4, 8),
  author: drafts('author', 6, 10),
  book: drafts('book', 20, 30),
})

/** Where the content is written. */
export interface Writer {
  create(uid: string, data: Readonly<Record<string, unknown>>): Promise<{ id: number }>
}

const counters = () => new Map<string, number>()

/** Makes the rows in memory and passes each entry to the writer, tags first. */
export async function build(plan: Plan, writer: Writer): Promise<Library> {
  const library: Library = { tag: [], author: [], book: [] }
  const ids = counters()
  for (const root of ['tag', 'author', 'book'] as const) {
    for (const draft of plan[root]) {
      const { row, data } = assemble(root, draft, library, ids)
      const { id } = await writer.create(uids[root], data)
      if (id !== row.id) throw new Error(`entry ${row.id} of ${root} was given the id ${id}`)
      library[root].push(row)
    }
  }
  return library
}

const empty = (shape: ShapeName) =>
  Object.fromEntries(Object.keys(shapes[shape].joins).map(name => [name, [] as Row[]]))

function assemble(shape: ShapeName, draft: Part & Partial<Draft>, library: Library, ids: Map<string, number>) {
  const id = (ids.get(shape) ?? 0) + 1
  ids.set(shape, id)
  const row: Row = { id, values: draft.values, links: empty(shape) }
  const data: Record<string, unknown> = { ...draft.values }
  for (const [name, wanted] of Object.entries({
    ...draft.links,
    ...(shape === 'chapter' && { topic: [draft.topic] }),
  })) {
    const existing = library[targets[name]!]
    const linked = existing.length === 0 ? [] : [...new Set(wanted.map(index => existing[index % existing.length]!))]
    row.links[name] = linked
    data[name] = shapes[shape].joins[name]!.many ? linked.map(({ id }) => id) : (linked[0]?.id ?? null)
    mirror(name, row, linked)
  }
  for (const [name, inner] of Object.entries(draft.parts)) {
    const { to, many } = shapes[shape].joins[name]!
    const made = inner.map(each => assemble(to, each, library, ids))
    row.links[name] = made.map(({ row }) => row)
    data[name] = many ? made.map(({ data }) => data) : (made[0]?.data ?? null)
  }
  return { row, data }
}

/** The other side of a bidirectional relation. */
const inverses: Readonly<Record<string, string>> = { author: 'books', tags: 'books', mentor: 'pupils' }

function mirror(name: string, row: Row, linked: readonly Row[]): void {
  const inverse = inverses[name]
  if (inverse === undefined) return
  for (const target of linked) target.links[inverse]!.push(row)
}

/** The model in the form that the kernel accepts. */
export const schemas = { contentTypes, components }
