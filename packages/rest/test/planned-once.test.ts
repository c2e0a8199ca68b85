// A query is checked and planned once per request, with and without lifecycles.

import t from 'tap'
import { start, type } from './fixtures/boot.ts'

const [tag, note, home] = ['api::tag.tag', 'api::note.note', 'api::home.home']

const contentTypes = [
  type('tag', { label: { type: 'string' } }),
  type('note', { text: { type: 'string' } }),
  { ...type('home', { text: { type: 'string' } }), kind: 'singleType' },
]

for (const listens of [false, true]) {
  t.test(listens ? 'with lifecycles' : 'without lifecycles', async t => {
    const asked: string[] = []
    const planned: string[] = []
    const can = (scope: string) => asked.push(scope) > 0
    const { app, of } = await start(t, {
      contentTypes,
      // Whoever asks again plans again.
      maxPlans: 1,
      configure: kernel => {
        kernel.auth.use({ name: 'all', authenticate: () => ({ key: 'all', user: null, can }) })
        kernel.hooks.on('prePlan', (draft, { key }) => void (key === 'all' && planned.push(draft.type.uid)))
        const look = async () => void (await kernel.query(note).findMany())
        if (listens) kernel.lifecycles.subscribe([tag, home], { afterFindMany: look, afterFindOne: look })
      },
    })
    await of('tag').create({ data: { label: 'a' } })
    await of('home').create({ data: { text: 'b' } })
    for (const [url, uid, action] of [
      ['/api/tags?sort=label', tag, 'find'],
      ['/api/tags/1?fields=label', tag, 'findOne'],
      ['/api/home', home, 'find'],
    ]) {
      asked.length = planned.length = 0
      t.equal((await app.inject(url!)).statusCode, 200)
      t.same(asked, [`${uid}.${action}`], `${url}: rights`)
      t.same(planned, [uid], `${url}: plans`)
    }
  })
}

t.test('the answer of a write, whatever the form of its body', async t => {
  const planned: string[] = []
  const { app } = await start(t, {
    contentTypes,
    // Whoever asks again plans again.
    maxPlans: 1,
    configure: ({ hooks }) =>
      hooks.on('prePlan', ({ type, stage }) => void (stage === 'answer' && planned.push(type.uid))),
  })
  const data = { text: 'a' }
  const form = new FormData()
  form.set('data', JSON.stringify(data))
  const multipart = new Response(form)
  const headers = { 'content-type': multipart.headers.get('content-type')! }
  const body = Buffer.from(await multipart.arrayBuffer())
  for (const [i, sent] of [{ payload: { data } }, { payload: body, headers }].entries())
    for (const [method, url] of [
      ['POST', `/api/notes?fields[${i}]=text`],
      ['PUT', `/api/notes/1?fields[${i}]=text`],
    ] as const) {
      planned.length = 0
      t.equal((await app.inject({ method, url, ...sent })).statusCode, 200, `${method} ${url}`)
      t.same(planned, [note], `${method} ${url}: plans`)
    }
})
