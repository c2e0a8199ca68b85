/**
 * Law: GraphQL reads as REST does. Rows become text without becoming objects, the number of statements depends on the
 * shape alone, and the statements are those of REST for the same query.
 */

import graphql from '@plinth/graphql'
import type { Codec, Kernel } from '@plinth/kernel'
import t, { type Test } from 'tap'
import { boot, client } from '../boot.ts'
import { observe } from './observed.ts'

/** A server of the contract with GraphQL, its statements, and what `configure` does. */
async function open(t: Test, configure: (kernel: Kernel) => void = () => {}) {
  const statements: string[] = []
  const app = await boot(t, {
    maxRows: 1e9, // the cost of a query does not matter here
    plugins: {
      rest: { config: { defaultLimit: 25, maxLimit: 100 } },
      'draft-publish': { config: { findOne: 'v4' } },
      graphql: { plugin: graphql, config: { defaultLimit: 25, maxLimit: 100 } },
    },
    configure: kernel => {
      kernel.hooks.on('onStatement', text => void statements.push(text))
      configure(kernel)
    },
  })
  const api = client(app)
  const ask = async (query: string): Promise<string> => {
    const { status, text } = await api.post('/graphql', { query })
    if (status !== 200 || text.includes('"errors"')) throw new Error(text)
    return text
  }
  /** The statements that `work` runs, without PRAGMAs. */
  const statementsOf = async (work: () => Promise<unknown>): Promise<string[]> => observe(statements, work)
  await api.create('tags', { label: 'a' }, { label: 'b' })
  await api.create('people', { fullName: 'Ann', interests: [1, 2] })
  const seo = { metaTitle: 'm', social: [{ label: 's' }] }
  const article = { author: 1, tags: [1, 2], seo, blocks: [{ __component: 'blocks.quote', text: 'q' }] }
  await api.create('articles', { title: 'one', ...article })
  const addMore = () =>
    api.create('articles', ...Array.from({ length: 15 }, (_, i) => ({ title: `t${i}`, ...article })))
  return { app, api, ask, statementsOf, addMore }
}

const ofEntry = (attributes: string) => `data { id attributes { ${attributes} } }`

/** Operations with the query of REST that asks the same. */
const forms: readonly [name: string, operation: string, query: string][] = [
  ['entries', `{ articles { ${ofEntry('title readingMinutes featured createdAt')} } }`, ''],
  [
    'sorted, filtered and cut',
    `{ articles(sort: "title", filters: { title: { ne: "x" } }, pagination: { limit: 9 }) { ${ofEntry('title')} } }`,
    '?fields=title&sort=title&filters[title][$ne]=x&pagination[limit]=9',
  ],
  [
    'relations',
    `{ articles { ${ofEntry(`title author { ${ofEntry('fullName')} }`)} } }`,
    '?fields=title&populate[author][fields]=fullName',
  ],
  [
    'there and back',
    `{ articles { ${ofEntry(`title author { ${ofEntry(`fullName interests(pagination: { limit: 10 }) { ${ofEntry('label')} }`)} }`)} } }`,
    '',
  ],
  ['components', `{ articles { ${ofEntry('title seo { metaTitle social { label } }')} } }`, ''],
  ['a zone', `{ articles { ${ofEntry('title blocks { ... on ComponentBlocksQuote { text } }')} } }`, ''],
  ['one entry', `{ article(id: 1) { ${ofEntry('title')} } }`, ''],
]

t.test('no row becomes an object', async t => {
  const { app, ask } = await open(t)
  let decoded = 0
  for (const codec of new Set<Codec>(Object.values(app.kernel.database.dialect.codecs))) {
    const { decode } = codec
    t.teardown(() => Object.assign(codec, { decode }))
    Object.assign(codec, {
      decode(raw: never) {
        decoded++
        return decode(raw)
      },
    })
  }
  for (const [name, operation] of forms)
    for (const time of ['first', 'next']) {
      decoded = 0
      t.match(await ask(operation), /"title":"one"/, 'there is a row')
      t.equal(decoded, 0, `${name}, the ${time} time`)
    }
  await app.kernel.query('api::article.article').findMany()
  t.ok(decoded > 0, 'the counter counts')
})

t.test('rows become objects if a lifecycle receives them', async t => {
  const titles: unknown[] = []
  const { ask } = await open(t, kernel =>
    kernel.lifecycles.subscribe(['api::article.article'], {
      afterFindMany: ({ result }: { readonly result?: unknown }) =>
        void titles.push((result as readonly { title: string }[]).map(one => one.title)),
    }),
  )
  await ask(forms[0]![1])
  t.same(titles, [['one']])
})

t.test('statements', async t => {
  const { api, ask, statementsOf, addMore } = await open(t)
  const count = async (operation: string) => {
    // Branches learn at first whether their lists come whole.
    for (let time = 0; time < 2; time++) await ask(operation)
    // The fewest of three: a connection that the pool opens meanwhile has statements of its own.
    const counts: number[] = []
    for (let time = 0; time < 3; time++) counts.push((await statementsOf(() => ask(operation))).length)
    return Math.min(...counts)
  }
  const few: number[] = []
  for (const [, operation] of forms) few.push(await count(operation))
  await addMore()
  for (const [i, [name, operation]] of forms.entries())
    t.equal(await count(operation), few[i], `${name}: as many for sixteen rows as for one`)
  for (const [name, operation, query] of forms) {
    if (query === '' && name !== 'entries') continue
    const page = `/api/articles${query}`
    for (let time = 0; time < 2; time++) await api.list(page)
    const byRest = await statementsOf(() => api.list(page))
    // REST adds a total: by a statement of its own, or on servers by the page itself.
    const selects = (texts: readonly string[]) =>
      texts.filter(text => !/^SELECT (COUNT|FOUND_ROWS)\(/.test(text)).length
    t.equal(selects(await statementsOf(() => ask(operation))), selects(byRest), `${name}: as many as REST runs`)
  }
})
