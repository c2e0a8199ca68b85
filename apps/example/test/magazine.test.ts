// The content of the seed, without a database.

import { readdirSync } from 'node:fs'
import t from 'tap'
import type { ArticleEntry } from '../src/seed/articles.ts'
import { readBeats } from '../src/seed/beats.ts'
import { drawSlots, fill } from '../src/seed/cast.ts'
import type { CommentEntry } from '../src/seed/comments.ts'
import { countEntries, makeMagazine } from '../src/seed/magazine.ts'
import { createProgress } from '../src/seed/progress.ts'
import { createDeck, createRandom } from '../src/seed/random.ts'
import { slugify } from '../src/slug.ts'

const magazine = makeMagazine()
const published = magazine.articles.filter(article => article.data.publishedAt !== null)

t.test('there are at least 200 readable articles', async t => {
  t.ok(published.length >= 200)
  t.ok(magazine.articles.some(article => article.data.publishedAt === null))
  const distinct = (values: string[]) => new Set(values).size
  t.equal(distinct(magazine.articles.map(article => article.data.title)), magazine.articles.length)
  t.equal(distinct(magazine.articles.map(article => article.data.slug)), magazine.articles.length)
  t.equal(distinct(magazine.articles.map(article => article.data.body)), magazine.articles.length)
  const isReadable = ({ data }: ArticleEntry) => data.body.split(' ').length >= 150 && /\n\n## .+\n\n/.test(data.body)
  t.same(
    magazine.articles.filter(article => !isReadable(article)),
    [],
  )
  const isRaw = ({ data }: ArticleEntry) =>
    /\{\w|\w\}|undefined|\[\d/.test([data.title, data.standfirst, data.body].join())
  t.same(magazine.articles.filter(isRaw), [], 'nothing of the making shows')
})

t.test('all dates are in the past', async t => {
  const dates = [
    ...published.flatMap(({ data }) => [data.publishedAt!, data.publishedOn!]),
    ...magazine.comments.map(({ data }) => data.postedAt),
    ...magazine.issues.flatMap(({ data }) => [data.onSaleAt, data.sentToPrintAt]),
    ...magazine.corrections.map(({ data }) => data.madeOn),
  ]
  t.ok(dates.sort().at(-1)! < '2026-11-21')
})

t.test('comments are later than what they refer to', async t => {
  t.ok(magazine.comments.length > 300)
  const isEarly = ({ data, article, replyTo }: CommentEntry) =>
    data.postedAt <
    (replyTo === null ? magazine.articles[article]!.data.publishedAt! : magazine.comments[replyTo]!.data.postedAt)
  t.same(magazine.comments.filter(isEarly), [])
})

t.test('there are enough texts', async t => {
  const beats = readBeats()
  const count = (of: (beat: (typeof beats)[number]) => readonly unknown[]) => beats.flatMap(of).length
  t.ok(count(beat => beat.openings) >= 40)
  t.ok(count(beat => [...beat.how, ...beat.why]) >= 150)
  const openings = beats.flatMap(beat => beat.openings).map(opening => opening.text)
  t.same(
    openings.filter(text => !text.includes('{person}')),
    [],
    'an opening says whom it is about',
  )
})

t.test('translations are complete texts with titles and slugs of their own', async t => {
  const { articles, articleTranslations: translations, categories, categoryTranslations } = magazine
  const folder = new URL('../src/seed/translations/', import.meta.url)
  for (const [locale, least] of [
    ['fr', 24],
    ['de', 12],
  ] as const) {
    const count = translations.filter(one => one.locale === locale).length
    t.ok(count >= least)
    t.equal(count, readdirSync(new URL(locale, folder)).length, 'no file has lost its article')
  }
  t.ok(translations.filter(one => one.data.publishedAt === null).length >= 2, 'some are drafts')
  const slugs = [...articles, ...translations].map(({ data }) => data.slug)
  t.equal(new Set(slugs).size, slugs.length)
  const isWhole = ({ data }: (typeof translations)[number]) =>
    data.body.split(/\s+/).length >= 80 && data.title.length <= 120 && data.standfirst.length <= 280
  t.same(
    translations.filter(one => !isWhole(one)),
    [],
  )
  const topics = [...categories, ...categoryTranslations].map(({ data }) => data.slug)
  t.equal(new Set(topics).size, 3 * categories.length, 'all categories are there three times')
})

t.test('a translation names the same people as the original', async t => {
  const isAbout = ({ of, data }: (typeof magazine.articleTranslations)[number]) => {
    const { title, standfirst, body } = magazine.articles[of]!.data
    const person = /\b[A-Z]\w+ [A-Z]\w+\b/g
    const named = new Set(`${title}\n${standfirst}\n${body.split('\n')[0]}`.match(person))
    return [...named].some(name => `${data.standfirst}\n${data.body}`.includes(name))
  }
  t.same(
    magazine.articleTranslations.filter(one => !isAbout(one)).map(one => one.data.slug),
    [],
  )
})

t.test('equal seeds give equal magazines', async t => {
  // Compared as text, because the difference between two whole magazines takes long to compute and is of no use.
  const text = JSON.stringify(magazine)
  t.ok(JSON.stringify(makeMagazine()) === text)
  t.notOk(JSON.stringify(makeMagazine(7)) === text)
})

t.test('a deck returns every item before it repeats one', async t => {
  const deal = createDeck(['a', 'b', 'c'], createRandom(1))
  t.same([...deal(2), ...deal(1)].sort(), ['a', 'b', 'c'])
  t.equal(new Set(deal(9)).size, 3)
})

t.test('an unknown name in braces stops the seed', async t => {
  const slots = drawSlots(createRandom(1), 'Ada Moss', 'May')
  t.equal(fill('{first} in {month}', slots), 'Ada in May')
  t.throws(() => fill('{frist}', slots), { message: 'No slot is called {frist}: {frist}…' })
})

t.test('slugs of titles', async t => {
  t.equal(slugify('Äpfel & Öl: a “guide”'), 'apfel-ol-a-guide')
  t.equal(slugify('Glovers’ Walk'), 'glovers-walk')
  t.equal(slugify('Œufs, Straße, Æther'), 'oeufs-strasse-aether')
})

t.test('progress is a bar on a terminal and a few lines elsewhere', async t => {
  const draw = (isTTY: boolean) => {
    const written: string[] = []
    const progress = createProgress(40, { isTTY, write: text => written.push(text) })
    for (let step = 0; step < 40; step++) progress.step('article')
    progress.end()
    return written
  }
  t.match(draw(true).at(-2), '█'.repeat(30))
  t.match(draw(true).at(-2), '100 %')
  t.same(
    draw(false),
    [10, 20, 30, 40].map(done => `  ${done} of 40 entries written\n`),
  )
  t.ok(countEntries(magazine) > magazine.articles.length)
})
