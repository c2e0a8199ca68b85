// Right and wrong uses of kernel.query. Each line below a `@ts-expect-error` must not compile, and all others must.

import { type Context, type Kernel, under } from '@plinth/kernel'
import type { Article, ArticleCreate, ArticleEntry, ArticleFilters, ArticleSort } from './content.js'

declare const kernel: Kernel
declare const caller: Context
declare const someUid: string
declare const apiUid: `api::${string}.${string}`

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
function expectType<Expected>() {
  return <Actual>(_: Actual, ..._same: Equal<Actual, Expected> extends true ? [] : [never]) => {}
}

const articles = kernel.query('api::article.article')

export async function uids() {
  // @ts-expect-error: a misspelt uid.
  kernel.query('api::articel.article')
  // @ts-expect-error: a component is no content type.
  kernel.query('shared.seo')
  // A uid that is known at run time only gives untyped entries.
  const entries = await kernel.query(someUid).findMany({ filters: { anything: 1 } })
  expectType<{ id: number } & Record<string, unknown>>()(entries[0]!)
  await kernel.query(apiUid).findMany()
}

export async function values() {
  const [entry] = await articles.findMany()
  expectType<string>()(entry!.title)
  expectType<string | null>()(entry!.text)
  expectType<string | null>()(entry!.body)
  expectType<string | null>()(entry!.slug)
  expectType<string | null>()(entry!.mail)
  expectType<'report' | "editor's essay">()(entry!.kind)
  expectType<number | null>()(entry!.views)
  expectType<string | null>()(entry!.big)
  expectType<number | null>()(entry!.rating)
  expectType<number | null>()(entry!.price)
  expectType<boolean | null>()(entry!.featured)
  expectType<string | null>()(entry!.day)
  expectType<string | null>()(entry!.hour)
  expectType<string | null>()(entry!.moment)
  expectType<string | null>()(entry!.stamp)
  expectType<Plinth.Json | null>()(entry!.extra)
  expectType<Plinth.Block[] | null>()(entry!.blocks)
  expectType<`#${string}` | null>()(entry!.colour)
  expectType<string | null>()(entry!.note)
  expectType<string | null>()(entry!.locale)
  expectType<string | null>()(entry!.publishedAt)
  expectType<number>()(entry!.id)
  // @ts-expect-error: it was not populated.
  entry!.author
  const [seen] = await kernel.query('api::article.article', caller).findMany()
  // @ts-expect-error: private attributes are not answered to callers.
  seen!.note
  const author = await kernel.query('api::author.author').findOne(1)
  expectType<string>()(author!.name)
  expectType<string | null>()(author!.password)
  const seenAuthor = await kernel.query('api::author.author', caller).findOne(1)
  // @ts-expect-error: passwords are not answered to callers.
  seenAuthor!.password
  const none = await articles.findOne(1, { fields: [] })
  expectType<{ id: number } | null>()(none)
  const date = await kernel.query('api::date.date').findMany()
  expectType<string | null>()(date[0]!['odd-name'])
}

export async function fields() {
  const [entry] = await articles.findMany({ fields: ['title', 'views'] })
  expectType<{ id: number; title: string; views: number | null }>()(entry!)
  const one = await articles.findOne(1, { fields: 'title' })
  expectType<{ id: number; title: string } | null>()(one)
  const all = await articles.findOne(1, { fields: '*' })
  expectType<number | null>()(all!.views)
  const chosen: ('title' | 'views')[] = ['title']
  const some = await articles.findMany({ fields: chosen })
  expectType<string>()(some[0]!.title)
  // @ts-expect-error: a misspelt attribute.
  await articles.findMany({ fields: ['titel'] })
  // @ts-expect-error: a link is populated instead.
  await articles.findMany({ fields: ['author'] })
  // @ts-expect-error: a private attribute.
  await kernel.query('api::article.article', caller).findMany({ fields: ['note'] })
}

export async function filters() {
  await articles.findMany({ filters: { title: 'a', views: { $gt: 1, $lte: 4 }, big: '9007199254740993' } })
  await articles.findMany({ filters: { title: ['a', 'b'], views: { $between: [1, 2] }, featured: true } })
  await articles.findMany({ filters: { $or: [{ title: { $containsi: 'x' } }, { $not: { views: { $null: true } } }] } })
  await articles.findMany({ filters: { author: { name: { $startsWith: 'A' }, employer: { name: 'x' } } } })
  await articles.findMany({ filters: { author: 1, tags: { $in: [1, 2] }, seo: { label: 'x' }, kind: 'report' } })
  await articles.findMany({ filters: { moment: { $lt: new Date() }, day: '2026-01-01', note: 'private' } })
  await articles.findMany({ filters: { views: { $contains: '4' }, title: { $shout: 'A' } } })
  await articles.findMany({ filters: { author: { employer: { secret: 'x' } } } })
  const condition: ArticleFilters = { title: { $eq: 'a' } }
  await articles.count({ filters: condition })
  // @ts-expect-error: a misspelt attribute.
  await articles.findMany({ filters: { titel: 'a' } })
  // @ts-expect-error: a misspelt operator.
  await articles.findMany({ filters: { title: { $contain: 'a' } } })
  // @ts-expect-error: a misspelt attribute of a linked type.
  await articles.findMany({ filters: { author: { nam: 'a' } } })
  // @ts-expect-error: a misspelt operator in a list.
  await articles.findMany({ filters: { $or: [{ title: { $equals: 'a' } }] } })
  // @ts-expect-error: the value of a number.
  await articles.findMany({ filters: { views: { $gt: 'many' } } })
  // @ts-expect-error: a word that the enumeration does not have.
  await articles.findMany({ filters: { kind: 'novel' } })
  // @ts-expect-error: an operator must be below an attribute.
  await articles.findMany({ filters: { $eq: 1 } })
  // @ts-expect-error: callers cannot filter by passwords.
  await kernel.query('api::author.author', caller).findMany({ filters: { password: 'x' } })
  // @ts-expect-error: a private attribute.
  await kernel.query('api::article.article', caller).findMany({ filters: { note: 'x' } })
  // @ts-expect-error: a private attribute of a linked type.
  await kernel.query('api::author.author', caller).findMany({ filters: { employer: { secret: 'x' } } })
  // @ts-expect-error: misspelt, where only counting is asked for.
  await articles.count({ filters: { titel: 'a' } })
}

export async function sorting() {
  await articles.findMany({ sort: 'title' })
  await articles.findMany({ sort: ['views:desc', 'author.name', 'author.employer.name:asc'] })
  await articles.findMany({ sort: { author: { name: 'asc' } } })
  const key: ArticleSort = 'title:desc'
  await articles.findMany({ sort: key })
  // @ts-expect-error: a misspelt attribute.
  await articles.findMany({ sort: 'titel' })
  // @ts-expect-error: a misspelt order.
  await articles.findMany({ sort: 'title:descending' })
  // @ts-expect-error: a misspelt attribute of a linked type.
  await articles.findMany({ sort: ['author.nam'] })
  // @ts-expect-error: a misspelt attribute at the end of a longer path.
  await articles.findMany({ sort: ['title', 'author.employer.nam:asc'] })
  // @ts-expect-error: a misspelt order there.
  await articles.findMany({ sort: 'author.employer.name:up' })
  // @ts-expect-error: a misspelt relation within it.
  await articles.findMany({ sort: 'author.employr.name' })
  // @ts-expect-error: a misspelt attribute in an object.
  await articles.findMany({ sort: { author: { nam: 'asc' } } })
}

export async function populate() {
  const [entry] = await articles.findMany({ fields: ['title'], populate: { author: { fields: ['name'] }, tags: true } })
  expectType<{ id: number; name: string } | null>()(entry!.author)
  expectType<string | null>()(entry!.tags[0]!.label)
  const [listed] = await articles.findMany({ populate: ['author', 'author.employer', 'seo.image', 'gallery'] })
  expectType<string | null | undefined>()(listed!.author?.employer?.name)
  expectType<string | undefined>()(listed!.seo?.image?.url)
  expectType<string | undefined>()(listed!.gallery[0]?.name)
  const [far] = await articles.findMany({ populate: ['author.articles.tags', 'author.employer.*'] })
  expectType<string | null | undefined>()(far!.author?.articles[0]?.tags[0]?.label)
  await articles.findMany({ populate: { author: { populate: 'articles.author.employer', sort: 'employer.name' } } })
  await articles.findMany({ populate: 'about.anything.at' })
  // @ts-expect-error: the third name is misspelt.
  await articles.findMany({ populate: ['tags', 'author.articles.tgs'] })
  // @ts-expect-error: the same, as a text.
  await articles.findMany({ populate: 'author.articles.tgs' })
  // @ts-expect-error: the second of four.
  await articles.findMany({ populate: 'author.artcles.author.employer' })
  // @ts-expect-error: the last of four.
  await articles.findOne(1, { populate: ['author.articles.author.employr'] })
  // @ts-expect-error: the third name in the options of an attribute.
  await articles.findMany({ populate: { author: { populate: ['articles.author.employr'] } } })
  // @ts-expect-error: the third name in an answer of a write.
  await articles.delete(1, { populate: 'author.articles.tgs' })
  const [named] = await articles.findMany({ populate: 'tags' })
  expectType<string | null | undefined>()(named!.tags[0]?.label)
  // @ts-expect-error: it was not populated.
  named!.author
  const [all] = await articles.findMany({ populate: '*' })
  expectType<string | undefined>()(all!.author?.name)
  // @ts-expect-error: the target of the relation is missing, so it is never answered.
  all!.gone
  expectType<string>()(all!.about[0]!.__type)
  // @ts-expect-error: only one level is populated.
  all!.author?.employer
  const deep = await articles.findOne(1, {
    populate: { author: { populate: { articles: { populate: ['tags'], limit: 3 } } } },
  })
  expectType<string | null | undefined>()(deep?.author?.articles[0]?.tags[0]?.label)
  const counted = await articles.findOne(1, { populate: { tags: { count: true } } })
  expectType<number | undefined>()(counted?.tags.count)
  const keys = await articles.findOne(1, { populate: { first: under('tags', { limit: 1 }), writer: under('author') } })
  expectType<string | null | undefined>()(keys?.first[0]?.label)
  expectType<string | undefined>()(keys?.writer?.name)
  const [off] = await articles.findMany({ populate: { author: false, tags: true } })
  // @ts-expect-error: false populates nothing.
  off!.author
  // @ts-expect-error: a misspelt attribute.
  await articles.findMany({ populate: ['autor'] })
  // @ts-expect-error: a misspelt attribute in an object.
  await articles.findMany({ populate: { autor: true } })
  // @ts-expect-error: a misspelt attribute of a linked type.
  await articles.findMany({ populate: ['author.emploier'] })
  // @ts-expect-error: a misspelt option.
  await articles.findMany({ populate: { author: { field: ['name'] } } })
  // @ts-expect-error: a misspelt field below.
  await articles.findMany({ populate: { author: { fields: ['nam'] } } })
  // @ts-expect-error: a misspelt filter below.
  await articles.findMany({ populate: { tags: { filters: { labl: 'a' } } } })
  // @ts-expect-error: a misspelt attribute two levels below.
  await articles.findMany({ populate: { author: { populate: { artikles: true } } } })
  // @ts-expect-error: a value is no link.
  await articles.findMany({ populate: ['title'] })
  // @ts-expect-error: another key for an attribute that does not exist.
  await articles.findMany({ populate: { first: under('tagz') } })
}

export async function zones() {
  const entry = await articles.findOne(1, { populate: { zone: { populate: '*' }, links: true } })
  const member = entry!.zone[0]!
  if (member.__component === 'shared.quote') {
    expectType<string | null>()(member.text)
    expectType<string>()(member.links[0]!.url)
    // @ts-expect-error: an attribute of the other component.
    member.label
  } else expectType<string>()(member.label)
  expectType<string>()(entry!.links[0]!.url)
  const on = await articles.findOne(1, { populate: { zone: { on: { 'shared.quote': { fields: ['text'] } } } } })
  expectType<'shared.quote'>()(on!.zone[0]!.__component)
  // @ts-expect-error: a component that the zone does not have.
  await articles.findMany({ populate: { zone: { on: { 'shared.link': true } } } })
}

export async function parameters() {
  await articles.findMany({ locale: 'de', publicationState: 'preview', pagination: { page: 1, pageSize: 5 }, _q: 'a' })
  const page = await articles.findPage({ fields: ['title'], pagination: { start: 0, limit: 1 } })
  expectType<string | undefined>()(page.entries[0]?.title)
  expectType<number | undefined>()(page.pagination.total)
  // @ts-expect-error: a misspelt option.
  await articles.findMany({ filter: { title: 'a' } })
  // @ts-expect-error: a misspelt option of the page.
  await articles.findMany({ pagination: { pagesize: 5 } })
}

export async function writes() {
  const made = await articles.create({ data: { title: 'a' }, fields: ['title'], populate: ['author'] })
  expectType<string | undefined>()(made.author?.name)
  await articles.create({ data: { publishedAt: null } })
  await articles.create({ data: { title: 'a', author: 1, tags: [1, { id: 2 }], cover: 4, gallery: [5], locale: 'de' } })
  await articles.create({
    data: { title: 'a', tags: { connect: [{ id: 1, position: { before: 2 } }], disconnect: [3] } },
  })
  await articles.create({
    data: { title: 'a', about: [{ id: 1, __type: 'api::author.author' }], extra: { any: ['json'] } },
  })
  await articles.create({ data: { title: 'a', seo: { label: 'x', image: 1 }, links: [{ url: '/', to: 2 }] } })
  await articles.create({ data: { title: 'a', zone: [{ __component: 'shared.quote', text: 'x' }], colour: '#fff' } })
  await articles.create({ data: { title: 'a', moment: new Date(), big: 4, kind: "editor's essay" } })
  await articles.update(1, { data: { views: null, seo: { id: 4, label: 'new' } } })
  await kernel.query('api::author.author').update(1, { data: { password: 'secret' } })
  const removed = await articles.delete(1, { fields: ['title'] })
  expectType<{ id: number; title: string } | null>()(removed)
  const data: ArticleCreate = { title: 'a' }
  await articles.create({ data })
  // @ts-expect-error: title is required of what is published.
  await articles.create({ data: { views: 1 } })
  // @ts-expect-error: a misspelt attribute.
  await articles.update(1, { data: { titel: 'a' } })
  // @ts-expect-error: the type of a value.
  await articles.update(1, { data: { views: 'many' } })
  // @ts-expect-error: a word that the enumeration does not have.
  await articles.update(1, { data: { kind: 'novel' } })
  // @ts-expect-error: url is required of a link.
  await articles.update(1, { data: { links: [{ to: 2 }] } })
  // @ts-expect-error: a misspelt attribute of a component.
  await articles.update(1, { data: { seo: { label: 'x', imag: 1 } } })
  // @ts-expect-error: a component that the zone does not have.
  await articles.update(1, { data: { zone: [{ __component: 'shared.link', url: '/' }] } })
  // @ts-expect-error: the service sets it.
  await articles.update(1, { data: { createdAt: '2026-01-01' } })
  // @ts-expect-error: a type that does not exist.
  await articles.update(1, { data: { about: [{ id: 1, __type: 'api::nobody.nobody' }] } })
  // @ts-expect-error: the empty relation cannot be written.
  await articles.update(1, { data: { gone: [1] } })
}

export function entries(entry: ArticleEntry, plain: Article) {
  expectType<string | undefined>()(entry.author?.name)
  expectType<string>()(plain.title)
  for (const member of entry.zone ?? []) if (member.__component === 'shared.seo') expectType<string>()(member.label)
}
