// What a version covers: every write changes it, whoever makes it and whatever the time between two of them.

import type { Entry, Transaction } from '@plinth/kernel'
import { casesOf } from '@plinth/test-tools/cases'
import t, { type Test } from 'tap'
import { article, fill, start } from './fixtures/boot.ts'

/** Stops the clock of the process, so that all writes have the same `updatedAt`. */
function stopClock(t: Test): void {
  const { now } = Date
  const time = now()
  Date.now = () => time
  t.teardown(() => {
    Date.now = now
  })
}

const all = {
  seo: { populate: { image: true, links: { populate: { tag: true } } } },
  sections: { populate: '*' },
  author: true,
  tags: true,
  others: true,
  cover: true,
  pictures: true,
} as const

const server = await start(t)
await fill(server)
const { kernel, of, versions } = server
// Those that others are linked with, with the ids 1 to 3.
for (const title of ['One', 'Two', 'Three']) await of('article').create({ data: { title, locale: 'en' } })

/** Makes an article, and returns its id. */
async function make(data: object = {}): Promise<number> {
  return Number((await of('article').create({ data: { title: 'One', locale: 'en', ...data } })).id)
}

const versionOf = (id: number) => versions.of(article, id)
const stateOf = async (id: number) => (await of('article').findOne(id, { populate: all, publicationState: 'preview' }))!

type Random = (below: number) => number

/** Random writes of one article, over few values, so that states come back. */
const writes: readonly ((random: Random, stored: Entry) => Record<string, unknown>)[] = [
  random => ({ title: ['One', 'Two', null][random(3)] }),
  random => ({ secret: ['One', 'Two'][random(2)] }),
  random => ({ count: random(3) }),
  random => ({ price: ['1.5', '1.50001'][random(2)] }),
  random => ({ facts: [{ a: [1, 2] }, { a: [2, 1] }, null][random(3)] }),
  random => ({ publishedAt: [null, '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.001Z'][random(3)] }),
  random => ({ author: [1, 2, null][random(3)] }),
  random => ({ tags: [[1, 2], [2, 1], [1], []][random(4)] }),
  random => ({ tags: { connect: [{ id: 1, position: { [['start', 'end'][random(2)]!]: true } }] } }),
  random => ({ others: [[2, 3], [3, 2], []][random(3)] }),
  random => ({ cover: [1, 2, null][random(3)] }),
  random => ({ pictures: [[1, 2], [2, 1], [2], []][random(4)] }),
  random => ({ seo: [null, { title: 'One', image: 1, links: [{ label: 'a', tag: 1 }] }][random(2)] }),
  (random, stored) => ({ seo: stored.seo && { ...idOf(stored.seo), image: [1, 2, null][random(3)] } }),
  (random, { seo }) => ({
    seo: seo && {
      ...idOf(seo),
      links: shuffled(random, linksOf(seo)).map(one => ({ ...idOf(one), tag: 1 + random(2) })),
    },
  }),
  (random, { seo }) => ({
    seo: seo && { ...idOf(seo), links: [...linksOf(seo).map(idOf), { label: `${random(2)}` }] },
  }),
  () => ({ sections: [quote('a'), quote('b'), { __component: 'parts.gallery', images: [1, 2], authors: [1, 2] }] }),
  (random, stored) => ({ sections: shuffled(random, sectionsOf(stored)).map(sectionOf) }),
  (random, stored) => ({
    sections: sectionsOf(stored).map(one =>
      one.__component === 'parts.gallery'
        ? {
            ...sectionOf(one),
            images: [
              [1, 2],
              [2, 1],
            ][random(2)],
            authors: [
              [1, 2],
              [2, 1],
            ][random(2)],
          }
        : { ...sectionOf(one), text: 'ab'[random(2)] },
    ),
  }),
]

const quote = (text: string) => ({ __component: 'parts.quote', text })
const idOf = (one: unknown) => ({ id: (one as Entry).id })
const linksOf = (seo: unknown) => (seo as { readonly links: readonly Entry[] }).links
const sectionsOf = (entry: Entry) => entry.sections as readonly Entry[]
const sectionOf = ({ id, __component }: Entry) => ({ id, __component })

function shuffled<Item>(random: Random, items: readonly Item[]): Item[] {
  const left = [...items]
  return items.map(() => left.splice(random(left.length), 1)[0]!)
}

function randomOf(seed: number): Random {
  let state = seed
  return below => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

t.test('random writes within one millisecond: versions differ if and only if states do', async t => {
  const seed = Number(process.env.PLINTH_SEED ?? Math.floor(Math.random() * 2 ** 32))
  t.comment(`PLINTH_SEED=${seed}`)
  const random = randomOf(seed)
  stopClock(t)
  const id = await make()
  const versionByState = new Map<string, string>()
  const stateByVersion = new Map<string, string>()
  let stored = await stateOf(id)
  for (let i = 0; i < casesOf(400); i++) {
    const data = writes[random(writes.length)]!(random, stored)
    await of('article').update(id, { data })
    stored = await stateOf(id)
    const state = JSON.stringify(stored)
    const version = (await versionOf(id))!
    t.equal(stateByVersion.get(version) ?? state, state, `after ${JSON.stringify(data)}`)
    t.equal(versionByState.get(state) ?? version, version, `after ${JSON.stringify(data)}`)
    stateByVersion.set(version, state)
    versionByState.set(state, version)
  }
  t.ok(stateByVersion.size > 20, `${stateByVersion.size} states`)
})

t.test('two writes of the same time that differ in one place only', async t => {
  stopClock(t)
  const seo = { title: 'x', links: [{ label: 'a' }, { label: 'b' }] }
  const id = await make({ seo, sections: [quote('a'), quote('b')], tags: [1, 2], pictures: [1, 2] })
  const stored = await stateOf(id)
  const links = linksOf(stored.seo)
  let last = await versionOf(id)
  const changes: Record<string, Record<string, unknown>> = {
    'an attribute': { title: 'Two' },
    'a private attribute': { secret: 'x' },
    'the order of a list of components': { seo: { ...idOf(stored.seo), links: [...links].reverse().map(idOf) } },
    'a nested component': { seo: { ...idOf(stored.seo), links: links.map(one => ({ ...idOf(one), label: 'c' })) } },
    'a relation of a nested component': {
      seo: { ...idOf(stored.seo), links: links.map(one => ({ ...idOf(one), tag: 1 })) },
    },
    'the order of a zone': { sections: [...sectionsOf(stored)].reverse().map(sectionOf) },
    'the order of links': { tags: [2, 1] },
    'a media attribute': { cover: 1 },
    'the order of media': { pictures: [2, 1] },
    'a draft': { publishedAt: null },
  }
  for (const [name, data] of Object.entries(changes)) {
    await of('article').update(id, { data })
    const version = await versionOf(id)
    t.not(version, last, name)
    last = version
  }
})

t.test('reads, and writes of other entries', async t => {
  const id = await make({ author: 1, tags: [1] })
  const author = () => versions.of('api::author.author', 1)
  const version = await versionOf(id)
  await server.send('GET', `/api/articles/${id}?populate=deep`)
  await of('author').update(1, { data: { name: 'Three' } })
  const other = await make({ author: 1, tags: [1] })
  t.equal(await versionOf(id), version, 'entries that it is linked with')
  const before = await author()
  await of('article').update(other, { data: { author: 2 } })
  t.equal(await author(), before, 'a relation that the other side owns')
  await of('author').update(1, { data: { articles: [id, other] } })
  t.not(await author(), before, 'such a relation, written from this side')
  const linked = await versionOf(id)
  await of('tag').update(2, { data: { articles: [id] } })
  t.not(await versionOf(id), linked, 'an own link, written from the other side')
  t.equal(await versionOf(999), null, 'no entry')
})

t.test('a translation is another entry, and what translations share is in all of them', async t => {
  const id = await make()
  const english = await versionOf(id)
  const field = `createArticleLocalization(id: ${id}, locale: "fr", data: { title: "Un" })`
  const { data } = await server.ask(`mutation { ${field} { data { id version } } }`)
  const french = data.createArticleLocalization.data
  t.equal(french.version, await versionOf(Number(french.id)))
  t.not(french.version, english)
  t.equal(await versionOf(id), english, 'a new translation')
  await of('article').update(french.id, { data: { title: 'Deux' } })
  t.equal(await versionOf(id), english, 'a change of a translation')
  await of('article').update(french.id, { data: { count: 7 } })
  t.not(await versionOf(id), english, 'a change of what is shared')
})

type Knex = Transaction['knex']

t.test("SQL, as v4's panel writes", async t => {
  const seo = { title: 'x', links: [{ label: 'a', tag: 1 }, { label: 'b' }] }
  const sections = [quote('a'), { __component: 'parts.gallery', images: [1, 2] }]
  const id = await make({ seo, sections, author: 1, tags: [1, 2], cover: 1 })
  const stored = await stateOf(id)
  const [quoteId, galleryId] = sectionsOf(stored).map(one => Number(one.id))
  const second = Number(linksOf(stored.seo)[1]!.id)
  const row = (knex: Knex) => knex('articles').where({ id })
  const tags = (knex: Knex) => knex('articles_tags_links').where({ article_id: id, tag_id: 1 })
  const files = (knex: Knex, of: object) => knex('files_related_morphs').where(of)
  const image = { related_id: galleryId, related_type: 'parts.gallery', file_id: 1 }
  const other = { article_id: id, inv_article_id: 1, article_order: 1 }
  const statements: Record<string, (knex: Knex) => PromiseLike<unknown>> = {
    'a column of the row': knex => row(knex).update({ title: 'Two' }),
    'the time alone': knex => row(knex).update({ updated_at: new Date('2026-01-01T00:00:00.001Z') }),
    'an administrator': knex => row(knex).update({ created_by_id: 3 }),
    'a private attribute': knex => row(knex).update({ secret: 'x' }),
    publication: knex => row(knex).update({ published_at: null }),
    'another link': knex => knex('articles_author_links').where({ article_id: id }).update({ author_id: 2 }),
    'the order of links': knex => tags(knex).update({ tag_order: 9 }),
    'a link less': knex => tags(knex).delete(),
    'a link more': knex => knex('articles_others_links').insert(other),
    'another file': knex => files(knex, { related_id: id, related_type: article }).update({ file_id: 2 }),
    'a file of a component': knex => files(knex, image).delete(),
    'a component': knex => knex('components_parts_quotes').where({ id: quoteId }).update({ text: 'c' }),
    'a nested component': knex => knex('components_parts_links').where({ id: second }).update({ label: 'c' }),
    'a link of a nested component': knex => knex('components_parts_links_tag_links').update({ tag_id: 2 }),
    'the order of components': knex =>
      knex('components_parts_seos_components').where({ component_id: second }).update({ order: 0.5 }),
    'a component less': knex => knex('articles_components').where({ entity_id: id, component_id: quoteId }).delete(),
  }
  const seen = new Set([await versionOf(id)])
  for (const [name, run] of Object.entries(statements)) {
    await kernel.transaction(async tx => void (await run(tx.knex)))
    const version = await versionOf(id)
    t.notOk(seen.has(version), name)
    seen.add(version)
  }
  await kernel.transaction(async tx => {
    await row(tx.knex).update({ title: 'Inside' })
    t.notOk(seen.has(await versionOf(id)), 'the versions of a transaction are those that it sees')
  })
})

t.test('a component that contains itself in the tables', async t => {
  const id = await make({ seo: { title: 'x', links: [{ label: 'a' }] } })
  const { id: seo } = (await stateOf(id)).seo as Entry
  const before = await versionOf(id)
  const loop = { entity_id: seo, component_id: seo, component_type: 'parts.seo', field: 'links', order: 2 }
  await kernel.transaction(async tx => void (await tx.knex('components_parts_seos_components').insert(loop)))
  t.not(await versionOf(id), before)
})

t.test('all processes of a database have the same versions, and other databases have others', async t => {
  const second = await start(t, { on: server.database })
  const version = await versions.of('api::tag.tag', 1)
  t.match(version, /^[0-9a-f]{32}$/)
  t.equal(await second.versions.of('api::tag.tag', 1), version)
  const other = await start(t)
  await fill(other)
  const [row] = await kernel.knex('tags').where({ id: 1 })
  await other.kernel.transaction(async tx => void (await tx.knex('tags').where({ id: 1 }).update(row)))
  t.not(await other.versions.of('api::tag.tag', 1), version, 'although the rows are equal')
})
