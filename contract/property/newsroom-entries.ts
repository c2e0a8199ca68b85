/**
 * Random entries of the model of newsroom.ts on two servers that differ in one thing: on the second, the drafts were
 * deleted. Published content must be equal on both, except for the times of creation.
 */

import type {} from '@plinth/draft-publish'
import { createServer } from '@plinth/server'
import fc from 'fast-check'
import type { FastifyInstance } from 'fastify'
import type { Test } from 'tap'
import { fresh } from '../boot.ts'
import { components, contentTypes, locales, type roots, uid, words } from './newsroom.ts'
import type { Source } from './rounds.ts'

export interface Issue {
  readonly whole: FastifyInstance
  readonly pruned: FastifyInstance
}

const word = fc.option(fc.constantFrom(...words), { freq: 5, nil: null })
const number = fc.option(fc.integer({ min: 0, max: 3 }), { freq: 5, nil: null })
/** Entries are named by any number, modulo the number of entries when it is used. */
const pick = fc.option(fc.nat({ max: 99 }), { freq: 3, nil: null })
const picks = fc.uniqueArray(fc.nat({ max: 99 }), { maxLength: 3 })
const isDraft = fc.boolean()

const tag = fc.record({ label: word, best: pick })
const author = fc.record({ name: word, age: number, mentor: pick, favourite: pick, isDraft })
const category = fc.record({ name: word, parent: pick })
const article = fc.record({
  title: word,
  score: number,
  author: pick,
  category: pick,
  tags: picks,
  related: picks,
  credits: fc.array(fc.record({ note: word, by: pick }), { maxLength: 2 }),
  isDraft,
})
const translations = <T>(entry: fc.Arbitrary<T>) =>
  fc
    .shuffledSubarray([...locales], { minLength: 1 })
    .chain(codes => fc.tuple(...codes.map(locale => entry.map(data => ({ ...data, locale })))))
const several = <T>(entry: fc.Arbitrary<T>, minLength: number, maxLength: number) =>
  fc.array(entry, { minLength, maxLength, size: 'max' })

const contents = fc.record({
  tags: several(tag, 2, 4),
  authors: several(author, 3, 7),
  categories: several(translations(category), 2, 4),
  articles: several(translations(article), 5, 12),
})

type Create = (uid: string, data: Readonly<Record<string, unknown>>) => Promise<number>

async function fill(create: Create, update: (id: number, best: number | null) => Promise<unknown>, seed: number) {
  const [content] = fc.sample(contents, { numRuns: 1, seed })
  const made: Record<(typeof roots)[number], number[]> = { article: [], category: [], author: [], tag: [] }
  const at = (list: readonly number[], index: number | null) =>
    index === null || list.length === 0 ? null : list[index % list.length]!
  const all = (list: readonly number[], indexes: readonly number[]) => [
    ...new Set(indexes.flatMap(index => at(list, index) ?? [])),
  ]
  const date = '2024-01-01T00:00:00.000Z'
  for (const { label } of content!.tags) made.tag.push(await create(uid('tag'), { label }))
  for (const { isDraft, mentor, favourite, ...data } of content!.authors) {
    const links = { mentor: at(made.author, mentor), favourite: at(made.tag, favourite) }
    made.author.push(await create(uid('author'), { ...data, ...links, publishedAt: isDraft ? null : date }))
  }
  for (const group of content!.categories) {
    const localizations: number[] = []
    for (const { parent, ...data } of group) {
      const links = { parent: at(made.category, parent), localizations: [...localizations] }
      localizations.push(await create(uid('category'), { ...data, ...links }))
    }
    made.category.push(...localizations)
  }
  for (const group of content!.articles) {
    const localizations: number[] = []
    for (const { isDraft, author, category, tags, related, credits, ...data } of group) {
      const links = {
        author: at(made.author, author),
        category: at(made.category, category),
        tags: all(made.tag, tags),
        related: all(made.article, related),
        credits: credits.map(({ note, by }) => ({ note, by: at(made.author, by) })),
        localizations: [...localizations],
      }
      localizations.push(await create(uid('article'), { ...data, ...links, publishedAt: isDraft ? null : date }))
    }
    made.article.push(...localizations)
  }
  for (const [i, { best }] of content!.tags.entries()) await update(made.tag[i]!, at(made.article, best))
}

async function serve(t: Test): Promise<FastifyInstance> {
  const app = await createServer({
    database: (await fresh(t)).config,
    contentTypes,
    components,
    plugins: {
      rest: { config: { defaultLimit: 5, maxLimit: 100 } },
      'draft-publish': {},
      i18n: { config: { locales: [...locales] } },
    },
    // The cost of a query does not matter here.
    maxCost: 1000,
    maxRows: 1e12,
    logger: false,
  })
  t.teardown(() => app.close())
  await app.ready()
  return app
}

export const issues: Source<Issue> = {
  perRound: 250,
  async open(t, seed) {
    const [whole, pruned] = [await serve(t), await serve(t)]
    for (const { kernel } of [whole, pruned]) {
      const create: Create = async (uid, data) => (await kernel.query(uid).create({ data })).id
      await fill(create, (id, best) => kernel.query(uid('tag')).update(id, { data: { best } }), seed)
    }
    for (const name of ['article', 'author'] as const) {
      const query = pruned.kernel.query(uid(name))
      const locale = name === 'article' ? { locale: 'all' } : {}
      const drafts = await query.findMany({
        ...locale,
        publicationState: 'preview',
        filters: { publishedAt: { $null: true } },
      })
      for (const { id } of drafts) await query.delete(id, { publicationState: 'preview' })
    }
    return { whole, pruned }
  },
}
