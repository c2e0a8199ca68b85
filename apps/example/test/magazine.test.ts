// What the writer of the seed promises, without a database.

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

t.test('everything is dated before today', async t => {
  const dates = [
    ...published.flatMap(({ data }) => [data.publishedAt!, data.publishedOn!]),
    ...magazine.comments.map(({ data }) => data.postedAt),
    ...magazine.issues.flatMap(({ data }) => [data.onSaleAt, data.sentToPrintAt]),
    ...magazine.corrections.map(({ data }) => data.madeOn),
  ]
  t.ok(dates.sort().at(-1)! < '2026-11-21')
})

t.test('comments follow what they comment on', async t => {
  t.ok(magazine.comments.length > 300)
  const isEarly = ({ data, article, replyTo }: CommentEntry) =>
    data.postedAt <
    (replyTo === null ? magazine.articles[article]!.data.publishedAt! : magazine.comments[replyTo]!.data.postedAt)
  t.same(magazine.comments.filter(isEarly), [])
})

t.test('the hand-written stock is large enough', async t => {
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

t.test('a seed always gives the same magazine', async t => {
  // As text: a difference between two whole magazines is no help to anybody, and takes long to make.
  const text = JSON.stringify(magazine)
  t.ok(JSON.stringify(makeMagazine()) === text)
  t.notOk(JSON.stringify(makeMagazine(7)) === text)
})

t.test('a deck deals every card before one returns', async t => {
  const deal = createDeck(['a', 'b', 'c'], createRandom(1))
  t.same([...deal(2), ...deal(1)].sort(), ['a', 'b', 'c'])
  t.equal(new Set(deal(9)).size, 3)
})

t.test('a slot nobody knows stops the seed', async t => {
  const slots = drawSlots(createRandom(1), 'Ada Moss', 'May')
  t.equal(fill('{first} in {month}', slots), 'Ada in May')
  t.throws(() => fill('{frist}', slots), { message: 'No slot is called {frist}: {frist}…' })
})

t.test('titles become addresses', async t => {
  t.equal(slugify('Äpfel & Öl: a “guide”'), 'apfel-ol-a-guide')
  t.equal(slugify('Glovers’ Walk'), 'glovers-walk')
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
