/**
 * Plinth stores entries as v4 does: each entry that v4 wrote is read by Plinth and created again from what was read,
 * and the new rows equal those of v4 in every column, link and component.
 */

import type { ContentType, Entry, Kernel, PopulateOption } from '@plinth/kernel'
import { createServer } from '@plinth/server'
import { onEach } from '@plinth/test-tools/on-each'
import { copyDatabase, project } from '@plinth/test-tools/recordings'
import { plugins } from './plugins.ts'
import { type Tree, TreeReader } from './trees.ts'

type Populate = Record<string, unknown>

/** Populates everything that belongs to an entry; linked entries are populated with their ids. */
function populateOf(kernel: Kernel, type: ContentType): Populate {
  const below = (uid: string) => ({ populate: populateOf(kernel, kernel.contentTypes.require(uid)) })
  const populate: Populate = {}
  for (const attribute of type.attributes.values()) {
    if (attribute.kind === 'relation') populate[attribute.name] = { fields: ['id'] }
    if (attribute.kind === 'component') populate[attribute.name] = below(attribute.component)
    if (attribute.kind === 'zone')
      populate[attribute.name] = { on: Object.fromEntries(attribute.components.map(uid => [uid, below(uid)])) }
  }
  return populate
}

/** The data by which an entry is created again; `mark` is appended to unique values to make them different. */
function toInput(kernel: Kernel, type: ContentType, entry: Entry, mark: string): Record<string, unknown> {
  const input: Record<string, unknown> = {}
  const part = (uid: string, one: Entry) => toInput(kernel, kernel.contentTypes.require(uid), one, mark)
  for (const attribute of type.attributes.values()) {
    const value = entry[attribute.name]
    if (attribute.readonly || attribute.name === 'localizations' || value === undefined) continue
    if (attribute.kind === 'scalar') {
      const isMarked = attribute.unique && value !== null
      if (!attribute.scalar.secret) input[attribute.name] = isMarked ? `${mark}${value}` : value
    } else if (value === null) continue
    else if (attribute.kind === 'relation' && attribute.owner)
      input[attribute.name] = Array.isArray(value) ? value.map(one => one.id) : (value as Entry).id
    else if (attribute.kind === 'component') {
      const { component } = attribute
      input[attribute.name] = Array.isArray(value)
        ? value.map(one => part(component, one))
        : part(component, value as Entry)
    } else if (attribute.kind === 'zone')
      input[attribute.name] = (value as (Entry & { __component: string })[]).map(one => {
        return { __component: one.__component, ...part(one.__component, one) }
      })
  }
  return input
}

/** The tree without places, which have gaps in v4's rows after deletions. */
function withoutPlaces({ row, links, parts }: Tree): object {
  const ids = Object.entries(links).map(([name, one]) => [name, one.ids])
  const inner = Object.entries(parts).map(([name, list]) => [
    name,
    list.map(({ type, tree }) => ({ type, ...withoutPlaces(tree) })),
  ])
  return { row, ids: Object.fromEntries(ids), parts: Object.fromEntries(inner) }
}

/** All places in a tree that differ from 1, 2, 3, … within their list. */
function misplaced({ links, parts }: Tree): unknown[] {
  const isCounted = (places: readonly (number | null)[]) =>
    places.every((place, i) => place === null || place === i + 1)
  const lists = [
    ...Object.entries(links).map(([name, { places }]) => ({ name, places })),
    ...Object.entries(parts).map(([name, list]) => ({ name, places: list.map(({ place }) => place) })),
  ]
  const below = Object.values(parts).flatMap(list => list.flatMap(({ tree }) => misplaced(tree)))
  return [...lists.filter(({ places }) => !isCounted(places)), ...below]
}

await onEach('entries that are created again are stored like their originals', async (t, client) => {
  const database = await copyDatabase(client)
  const app = await createServer({ dir: project, database: database.config, plugins, logger: false })
  const opened = await database.open()
  t.teardown(async () => {
    await opened.close()
    await app.close()
    await database.drop()
  })
  const { kernel } = app
  const trees = new TreeReader(kernel, opened)
  const types = kernel.contentTypes
    .values()
    .filter(one => one.kind === 'collectionType' && !one.internal && !one.hasOwnRoutes)
  t.equal(types.length, 10)
  for (const type of types) {
    const of = kernel.query(type.uid)
    const every = { publicationState: 'preview', locale: 'all', populate: populateOf(kernel, type) as PopulateOption }
    const originals = await of.findMany(every)
    t.ok(originals.length > 0, `there are ${type.pluralName}`)
    for (const original of originals) {
      // The original is read first, because a one-to-one link moves to the copy.
      const v4s = await trees.read(type, original.id)
      const { id } = await of.create({ data: toInput(kernel, type, original, 'x') })
      const made = await trees.read(type, id)
      t.strictSame(withoutPlaces(made), withoutPlaces(v4s), `${type.singularName} ${original.id}`)
      t.same(misplaced(made), [], 'numbered from 1')
    }
  }
})
