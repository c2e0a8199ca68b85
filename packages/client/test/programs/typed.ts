// Right and wrong uses of the client. Each line below a `@ts-expect-error` must not compile, and all others must.

import { createClient, type TypedEntry, type V4Entry } from '@plinth/client'

declare const someName: string

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
function expectType<Expected>() {
  return <Actual>(_: Actual, ..._same: Equal<Actual, Expected> extends true ? [] : [never]) => {}
}

const v4 = createClient({ url: '' })
const flat = createClient({ url: '', flat: true })
const articles = flat('articles')

export async function names() {
  // @ts-expect-error: a misspelt name.
  flat('article')
  // @ts-expect-error: a single type is none of the collection types.
  flat('homepage')
  // @ts-expect-error: a collection type is no single type.
  flat.single('articles')
  // A name that is known at run time only gives untyped entries.
  const { data } = await flat(someName).find({ filters: { anything: 1 } })
  expectType<{ id: number } & Record<string, unknown>>()(data[0]!)
  const wrapped = await v4(someName).findOne(1)
  expectType<Record<string, unknown>>()(wrapped.data.attributes)
  const { data: homepage } = await flat.single('homepage').find({ populate: ['choice'] })
  expectType<string>()(homepage.greeting)
  expectType<string | undefined>()(homepage.choice?.title)
}

export async function flatEntries() {
  const { data } = await articles.find()
  const entry = data[0]!
  expectType<string>()(entry.title)
  expectType<'report' | 'essay' | null>()(entry.kind)
  expectType<number | null>()(entry.views)
  expectType<string | null>()(entry.moment)
  expectType<Plinth.Json | null>()(entry.extra)
  expectType<number>()(entry.id)
  // @ts-expect-error: it was not populated.
  entry.author
  // @ts-expect-error: private attributes are not answered.
  entry.note
  const chosen = await articles.find({ fields: ['title', 'views'] })
  expectType<{ id: number; title: string; views: number | null }>()(chosen.data[0]!)
  const none = await articles.findOne(1, { fields: [] })
  expectType<{ id: number }>()(none.data)
  for await (const one of articles.all({ fields: ['title'], pageSize: 50 }))
    expectType<{ id: number; title: string }>()(one)
}

export async function v4Entries() {
  const { data, meta } = await v4('articles').find({
    fields: ['title'],
    populate: { author: { fields: ['name'] }, tags: true },
  })
  expectType<string>()(data[0]!.attributes.title)
  expectType<{ data: V4Entry<{ name: string }> | null }>()(data[0]!.attributes.author)
  expectType<string | null | undefined>()(data[0]!.attributes.tags.data[0]?.attributes.label)
  expectType<number>()(meta.pagination.pageCount)
  // @ts-expect-error: it is in `attributes`.
  data[0]!.title
  const one = await v4('articles').findOne(1, { populate: ['gallery', 'seo.image', 'zone', 'remarks', 'cover'] })
  const { gallery, seo, zone, remarks, cover } = one.data.attributes
  expectType<string | undefined>()(gallery.data?.[0]?.attributes.url)
  expectType<string | undefined>()(cover.data?.attributes.url)
  expectType<string | undefined>()(seo?.image.data?.attributes.url)
  expectType<number | undefined>()(seo?.id)
  expectType<string | null | undefined>()(remarks.data?.[0]?.attributes.text)
  // @ts-expect-error: no files are null.
  gallery.data.length
  if (zone[0]!.__component === 'shared.quote') expectType<string | null>()(zone[0]!.text)
  const counted = await v4('articles').findOne(1, { populate: { tags: { count: true } } })
  expectType<number>()(counted.data.attributes.tags.data.attributes.count)
}

export async function populate() {
  const { data: entry } = await articles.findOne(1, {
    populate: { author: { populate: { articles: { populate: ['tags'], limit: 3 } } }, tags: { count: true } },
  })
  expectType<string | null | undefined>()(entry.author?.articles[0]?.tags[0]?.label)
  expectType<number>()(entry.tags.count)
  const { data: listed } = await articles.findOne(1, {
    populate: ['author', 'author.articles', 'gallery', 'about', 'links.to'],
  })
  expectType<string | undefined>()(listed.author?.articles[0]?.title)
  expectType<string | undefined>()(listed.gallery?.[0]?.url)
  expectType<string>()(listed.about[0]!.__type)
  expectType<string | undefined>()(listed.links[0]!.to?.title)
  const { data: all } = await articles.findOne(1, { populate: '*' })
  expectType<string | undefined>()(all.author?.name)
  // @ts-expect-error: only one level is populated.
  all.author?.articles
  const { data: off } = await articles.findOne(1, { populate: { author: false, tags: true } })
  // @ts-expect-error: false populates nothing.
  off.author
  // @ts-expect-error: a misspelt attribute.
  await articles.find({ populate: ['autor'] })
  // @ts-expect-error: a misspelt attribute in an object.
  await articles.find({ populate: { autor: true } })
  // @ts-expect-error: a misspelt attribute of a linked type.
  await articles.find({ populate: ['author.artikles'] })
  // @ts-expect-error: a misspelt option.
  await articles.find({ populate: { author: { field: ['name'] } } })
  // @ts-expect-error: a misspelt field below.
  await articles.find({ populate: { author: { fields: ['nam'] } } })
  // @ts-expect-error: a misspelt filter below.
  await articles.find({ populate: { tags: { filters: { labl: 'a' } } } })
  // @ts-expect-error: a value is no link.
  await articles.find({ populate: ['title'] })
}

export async function zones() {
  const { data } = await articles.findOne(1, { populate: { zone: { populate: '*' } } })
  const member = data.zone[0]!
  if (member.__component === 'shared.quote') {
    expectType<string | undefined>()(member.by?.name)
    // @ts-expect-error: an attribute of the other component.
    member.label
  } else expectType<string>()(member.label)
  const on = await articles.findOne(1, { populate: { zone: { on: { 'shared.quote': { populate: ['by'] } } } } })
  expectType<'shared.quote'>()(on.data.zone[0]!.__component)
  expectType<string | undefined>()(on.data.zone[0]!.by?.name)
  // @ts-expect-error: a component that the zone does not have.
  await articles.find({ populate: { zone: { on: { 'shared.link': true } } } })
  // @ts-expect-error: a misspelt attribute of a component.
  await articles.find({ populate: { zone: { on: { 'shared.quote': { populate: ['buy'] } } } } })
}

export async function options() {
  await articles.find({ filters: { title: { $containsi: 'a' }, author: { name: 'x' }, $or: [{ views: { $gt: 1 } }] } })
  await articles.find({ sort: ['title:desc', 'author.name'], locale: 'de', publicationState: 'preview', _q: 'a' })
  await articles.find({ sort: { author: { name: 'asc' } } }, { signal: AbortSignal.timeout(1000) })
  const { meta } = await articles.find({ pagination: { start: 0, limit: 5 } })
  expectType<{ start: number; limit: number } & { total: number }>()(meta.pagination)
  const uncounted = await articles.find({ pagination: { page: 1, withCount: false } })
  expectType<number | undefined>()(uncounted.meta.pagination.total)
  // @ts-expect-error: a misspelt attribute.
  await articles.find({ filters: { titel: 'a' } })
  // @ts-expect-error: a misspelt operator.
  await articles.find({ filters: { title: { $contain: 'a' } } })
  // @ts-expect-error: a private attribute.
  await articles.find({ filters: { note: 'a' } })
  // @ts-expect-error: the value of a number.
  await articles.find({ filters: { views: { $gt: 'many' } } })
  await articles.find({ sort: ['author.articles.title:desc'], populate: ['author.articles.tags', 'about.anything.at'] })
  // @ts-expect-error: a misspelt third name.
  await articles.find({ sort: ['author.articles.titel:desc'] })
  // @ts-expect-error: the same in populate.
  await articles.find({ populate: ['author.articles.tgs'] })
  // @ts-expect-error: the same in the options of an attribute.
  await articles.find({ populate: { author: { populate: 'articles.author.artcles' } } })
  // @ts-expect-error: a misspelt sort key.
  await articles.find({ sort: 'titel' })
  // @ts-expect-error: a misspelt field.
  await articles.find({ fields: ['titel'] })
  // @ts-expect-error: a misspelt option.
  await articles.find({ filter: { title: 'a' } })
  // @ts-expect-error: a misspelt option of the page.
  await articles.find({ pagination: { pagesize: 5 } })
  // @ts-expect-error: a single entry has no filters.
  await articles.findOne(1, { filters: { title: 'a' } })
  // @ts-expect-error: a state that does not exist.
  await articles.find({ publicationState: 'draft' })
}

export async function writes() {
  const { data } = await articles.create(
    { title: 'a', author: 1, tags: [1, { id: 2 }] },
    { fields: ['title'], populate: ['author'] },
  )
  expectType<string | undefined>()(data.author?.name)
  expectType<string>()(data.title)
  await articles.create({ publishedAt: null })
  await articles.create({ title: 'a', zone: [{ __component: 'shared.quote', text: 'x' }], seo: { label: 'x' } })
  await articles.update(1, { views: null, tags: { connect: [1], disconnect: [2] } })
  const removed = await v4('articles').delete(1, { fields: ['title'] })
  expectType<string>()(removed.data.attributes.title)
  await flat.single('homepage').update({ greeting: 'Hello', choice: 1 })
  // @ts-expect-error: title is required of what is published.
  await articles.create({ views: 1 })
  // @ts-expect-error: a misspelt attribute.
  await articles.update(1, { titel: 'a' })
  // @ts-expect-error: a word that the enumeration does not have.
  await articles.update(1, { kind: 'novel' })
  // @ts-expect-error: a component that the zone does not have.
  await articles.update(1, { zone: [{ __component: 'shared.link', url: '/' }] })
  // @ts-expect-error: the data of an entry, without an outer `data`.
  await articles.create({ data: { title: 'a' } })
}

export async function others() {
  const { jwt, user } = await flat.login({ identifier: 'a', password: 'b' })
  expectType<string>()(jwt)
  expectType<string>()(user.username)
  const [file] = await flat.upload([new File([], 'a.txt')], {
    info: [{ caption: 'x' }],
    onProgress: ({ loaded }) => loaded,
  })
  expectType<string | undefined>()(file?.url)
  expectType<string>()(flat.srcset(file))
  const preview = flat.withToken('x')
  expectType<string>()((await preview('tags').findOne(1)).data.label ?? '')
  // @ts-expect-error: a misspelt option.
  createClient({ url: '', token: null, flt: true })
  // @ts-expect-error: the address is missing.
  createClient({})
}

/** What components of a front end declare as their input. */
type Card = TypedEntry<
  'api::article.article',
  'flat',
  { fields: ['title']; populate: { author: { fields: ['name'] } } }
>
export const nameOf = (card: Card): string => card.author?.name ?? card.title
