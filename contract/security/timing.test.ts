/** The header Server-Timing: what it counts in development, and that production does not send it (security.md row 86). */

import t, { type Test } from 'tap'
import { boot, client } from '../boot.ts'

/** Boots with NODE_ENV as given, which is read at the start. */
async function bootIn(t: Test, mode: string | undefined, options: Parameters<typeof boot>[1] = {}) {
  const before = process.env.NODE_ENV
  const set = (value: string | undefined) => {
    if (value === undefined) delete process.env.NODE_ENV
    else process.env.NODE_ENV = value
  }
  set(mode)
  try {
    // The tables are made by the start, which production refuses by default.
    return await boot(t, { migrate: 'add', ...options })
  } finally {
    set(before)
  }
}

const form = /^db;dur=\d+\.\d\d;desc="(\d+) statements?", total;dur=\d+\.\d\d$/

/** The number of statements of an answer; NaN if the header is missing or has another form. */
const counted = ({ headers }: { readonly headers: Record<string, unknown> }) =>
  Number(form.exec(String(headers['server-timing']))?.[1])

/** The times of an answer, in milliseconds. */
const times = ({ headers }: { readonly headers: Record<string, unknown> }) =>
  [...String(headers['server-timing']).matchAll(/dur=([\d.]+)/g)].map(one => Number(one[1]))

t.test('the header in development', async t => {
  const app = await bootIn(t, undefined)
  const api = client(app)
  const statements: string[] = []

  t.test('a list with populate', async t => {
    await api.create('tags', { label: 'a' }, { label: 'b' })
    await api.create('articles', { title: 'One', tags: [1, 2] }, { title: 'Two', tags: [2] })
    // From the first list the size of the shape is known, so the total needs no statement.
    const answer = await api.get('/api/tags?populate=articles')
    t.equal(answer.status, 200)
    t.equal(counted(answer), 2)
    t.equal(counted(await api.get('/api/tags')), 1)
    const [db, total] = times(answer)
    t.ok(db! > 0 && total! >= db!, `${db} of ${total} ms`)
  })

  t.test('a create', async t => {
    // BEGIN, INSERT, COMMIT; MySQL does not return the row that it inserts.
    const number = app.kernel.database.dialect.returns.insert ? 3 : 4
    const answer = await api.post('/api/tags', { data: { label: 'c' } })
    t.equal(answer.status, 200)
    t.equal(counted(answer), number)
  })

  t.test('refusals have the statements that they ran', async t => {
    for (const [url, status, number] of [
      ['/api/tags?filters[nope]=1', 400, 0],
      ['/api/tags/999999', 404, 1],
      ['/api/nothing', 404, 0],
    ] as const) {
      const answer = await api.get(url)
      t.equal(answer.status, status, url)
      t.equal(counted(answer), number, url)
    }
    const refused = await api.post('/api/tags', { data: { label: 5, articles: [77_777] } })
    t.equal(refused.status, 400)
    t.ok(counted(refused) >= 0)
  })

  t.test('concurrent requests count only their own statements', async t => {
    const urls = ['/api/tags', '/api/tags?populate=articles', '/api/tags/1', '/api/tags?filters[nope]=1']
    const alone = []
    for (const url of urls) alone.push(counted(await api.get(url)))
    t.same(alone, [1, 2, 1, 0])
    const together = await Promise.all([...urls, ...urls, ...urls].map(url => api.get(url)))
    t.same(together.map(counted), [...alone, ...alone, ...alone])
    const create = () => api.post('/api/tags', { data: { label: 'x' } })
    const writes = await Promise.all([create(), api.get('/api/tags/1'), create(), api.get('/api/tags/2'), create()])
    t.same(
      writes.map(one => one.status),
      [200, 200, 200, 200, 200],
    )
    t.same([counted(writes[1]!), counted(writes[3]!)], [1, 1])
    // On SQLite the three share one BEGIN and COMMIT, and each is a statement or a savepoint of its own.
    for (const i of [0, 2, 4]) t.ok(counted(writes[i]!) >= 1 && counted(writes[i]!) <= 5, String(counted(writes[i]!)))
  })

  t.test('the number equals that of listeners of statements', async t => {
    app.kernel.hooks.on('onStatement', text => void statements.push(text))
    const body = { data: { title: 'Three', tags: [1, 2] } }
    for (const ask of [
      () => api.get('/api/articles?populate=*&publicationState=preview'),
      () => api.post('/api/articles?populate=*', body),
      () => api.put('/api/articles/1', { data: { title: 'Other', tags: [2] } }),
      () => api.delete('/api/articles/2'),
    ]) {
      statements.length = 0
      const answer = await ask()
      t.equal(answer.status, 200)
      t.equal(counted(answer), statements.length)
    }
  })
})

t.test('security.md row 86: production does not send it', async t => {
  const app = await bootIn(t, 'production')
  const api = client(app)
  let observed = 0
  t.intercept(app.kernel, 'observe', { get: () => () => void observed++ })
  const answers = [
    await api.get('/api/tags'),
    await api.post('/api/tags', { data: { label: 'a' } }),
    await api.get('/api/tags?filters[nope]=1'),
    await api.get('/api/nothing'),
  ]
  t.same(
    answers.map(one => one.status),
    [200, 200, 400, 404],
  )
  for (const { headers } of answers) t.notOk('server-timing' in headers)
  t.equal(observed, 0, 'no observer is used')
})
