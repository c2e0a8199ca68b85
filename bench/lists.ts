// Measures the two ways in which populated lists with a page are asked for: plainly first, as the kernel does, and by
// rank alone. Writes lists.md. Both run in this process, in turn, on the same entries, one question after the other.

import { writeFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import type { Kernel } from '@plinth/kernel'
// The choice is no setting, so it is replaced here.
import { PlainFirst } from '../packages/kernel/src/sql/plain-first.ts'
import { preparePlinth } from './data/prepare.ts'
import { DATABASES } from './options.ts'
import { openPlinth } from './plinth.ts'
import { commit, machine, table } from './report.ts'
import type { Store } from './store/store.ts'
import { reachStores } from './store/stores.ts'
import { quantile } from './turns.ts'

const ROUNDS = Number(process.env.RUNS ?? 40)
/** Questions of a round. */
const QUESTIONS = 40

const ways = ['plain first', 'by rank'] as const
type Way = (typeof ways)[number]

type Populate = Readonly<Record<string, { readonly limit: number; readonly sort?: string }>>

/** Questions for 25 articles, whose lists come whole, or are cut. */
const questions: readonly { readonly name: string; readonly populate: Populate }[] = [
  { name: 'categories of articles, 10 of each: all come whole', populate: { categories: { limit: 10 } } },
  { name: 'categories of articles, 1 of each: most are cut', populate: { categories: { limit: 1 } } },
  { name: 'comments of articles, 10 of each: all come whole', populate: { comments: { limit: 10, sort: 'id' } } },
]

const { isChosen } = PlainFirst.prototype
const choose: Readonly<Record<Way, PlainFirst['isChosen']>> = { 'plain first': isChosen, 'by rank': () => false }

const before = machine()
const sections: string[] = []
for (const { store, title } of await reachStores()) {
  try {
    sections.push(`## ${title}\n\n${await measureStore(store)}`)
  } finally {
    await store.close()
  }
}
const report = `# Two ways to ask for lists with a page

Written by \`pnpm --filter bench lists\`.

- Commit: ${commit()}
- Machine: ${before}
- Node ${process.version}; databases on the same machine, each with its own default configuration

A populated list with a limit holds for each parent. "By rank": the database numbers the rows of each parent (ROW_NUMBER).
"Plain first", as Plinth does: the lists of all parents in one, up to one row more than their pages have, and cut here; if that
row comes, by rank, and the next 64 times by rank at once. Both gave the same rows.

25 articles with their lists, by \`kernel.query\` in one process, one question after the other; ${ROUNDS} rounds of ${QUESTIONS} questions each way,
in turn, after as many of warm-up. Speed: questions per second of "plain first" divided by those of "by rank"; the median of the
rounds and, in parentheses, the limits of the middle half. Milliseconds: of a question, the medians.

${sections.join('\n\n')}
`
console.log(report)
if (DATABASES === null) writeFileSync(new URL('lists.md', import.meta.url), report)

async function measureStore(store: Store): Promise<string> {
  await preparePlinth(store, 'plinth', false)
  const app = await openPlinth(await store.copy('plinth', false), false)
  await app.ready()
  try {
    const rows: string[][] = []
    for (const { name, populate } of questions) rows.push([name, ...(await measure(app.kernel, populate))])
    return table([['lists', 'speed', 'ms: plain first, by rank'], ...rows])
  } finally {
    PlainFirst.prototype.isChosen = isChosen
    await app.close()
  }
}

async function measure(kernel: Kernel, populate: Populate): Promise<string[]> {
  const ask = (way: Way) => {
    PlainFirst.prototype.isChosen = choose[way]
    return kernel.query('api::article.article').findMany({ populate, pagination: { limit: 25 }, sort: 'id' })
  }
  if (!isDeepStrictEqual(await ask('plain first'), await ask('by rank'))) throw new Error('The ways differ')
  const round = async (way: Way): Promise<number> => {
    const start = performance.now()
    for (let i = 0; i < QUESTIONS; i++) await ask(way)
    return (performance.now() - start) / QUESTIONS
  }
  const found: Record<Way, number>[] = []
  for (let i = 0; i < 2 * ROUNDS; i++) {
    const times = { 'plain first': 0, 'by rank': 0 }
    for (const way of i % 2 === 0 ? ways : ways.toReversed()) times[way] = await round(way)
    if (i >= ROUNDS) found.push(times)
  }
  const speeds = found.map(times => times['by rank'] / times['plain first'])
  const [low, middle, high] = [0.25, 0.5, 0.75].map(part => quantile(speeds, part).toFixed(2))
  const ms = ways.map(way =>
    quantile(
      found.map(times => times[way]),
      0.5,
    ).toFixed(2),
  )
  return [`**${middle}** (${low}–${high})`, ms.join(', ')]
}
