// Requests with the same key, on each database: what is done once, what is answered again, and what is refused.

import { setTimeout as wait } from 'node:timers/promises'
import i18n from '@plinth/i18n'
import { ForbiddenError, UnavailableError } from '@plinth/kernel'
import t from 'tap'
import { count, fresh, start, type, uid } from './fixtures/boot.ts'

const first = { key: 'k1', data: { title: 'One' } }
const replayed = { 'idempotency-replayed': 'true' }

t.test('the same request again is answered again, and writes nothing', async t => {
  const { send, orders } = await start(t)
  const before = await send(first)
  t.match(before, { status: 200, body: { data: { id: 1, attributes: { title: 'One' } } } })
  t.notHas(before.headers, replayed)
  const again = await send(first)
  t.match(again, { status: 200, body: before.body, headers: replayed })
  t.equal(again.headers['content-type'], before.headers['content-type'])
  t.same((await orders()).length, 1)
  t.match(await send({ ...first, key: 'k2' }), { status: 200, body: { data: { id: 2 } } }, 'another key')
  t.match(await send({ data: first.data }), { status: 200, body: { data: { id: 3 } } }, 'no key')
})

t.test('security.md row 56: the same Idempotency-Key twice with different requests', async t => {
  const { send, orders } = await start(t)
  await send(first)
  await send({ key: 'other', data: { title: 'Two' } })
  const error = { status: 422, name: 'UnprocessableEntityError', details: { path: 'idempotency-key' } }
  for (const [what, request] of Object.entries({
    body: { ...first, data: { title: 'Changed' } },
    query: { ...first, url: '/api/orders?fields=title' },
    path: { ...first, url: '/api/orders/2', method: 'PUT' as const },
    method: { key: 'k1', url: '/api/orders/2', method: 'DELETE' as const },
  }))
    t.match(await send(request), { status: 422, body: { data: null, error } }, what)
  t.same(
    (await orders()).map(one => one.title),
    ['One', 'Two'],
  )
  t.match(await send(first), { status: 200, headers: replayed }, 'the first answer is still there')
})

t.test('updates and deletions', async t => {
  const { send, orders } = await start(t)
  await send(first)
  const update = { method: 'PUT', url: '/api/orders/1', key: 'u', data: { count: 1 } } as const
  await send(update)
  await send({ ...update, key: 'v', data: { count: 2 } })
  t.match(await send(update), { status: 200, body: { data: { attributes: { count: 1 } } }, headers: replayed })
  t.match(await orders(), [{ count: 2 }], 'a late repetition does not take a later change back')
  const removal = { method: 'DELETE', url: '/api/orders/1', key: 'd' } as const
  await send(removal)
  t.match(await send(removal), { status: 200, body: { data: { id: 1 } }, headers: replayed })
  t.match(await send({ ...removal, key: 'e' }), { status: 404 })
  t.match(await send({ ...removal, key: 'e' }), { status: 404, headers: replayed })
})

t.test('translations and single types', async t => {
  const translated = { pluginOptions: { i18n: { localized: true } } }
  const { send, kernel, rows } = await start(t, {
    plugins: { i18n: { plugin: i18n, config: { locales: ['en', 'fr'] } } },
    types: [
      type('page', { title: { type: 'string', ...translated } }, translated),
      type('home', { title: { type: 'string' } }, { kind: 'singleType' }),
    ],
  })
  await send({ url: '/api/pages', data: { title: 'One' } })
  const payload = { locale: 'fr', title: 'Un' }
  const translation = { key: 't', url: '/api/pages/1/localizations', payload }
  const made = await send(translation)
  t.match(made, { status: 200, body: { id: 2, title: 'Un' } })
  t.match(await send(translation), { status: 200, body: made.body, headers: replayed })
  t.match(await send({ ...translation, payload: { ...payload, title: 'Une' } }), { status: 422 })
  t.same(await kernel.query('api::page.page').count({ locale: 'all' }), 2)

  const home = { method: 'PUT', url: '/api/home', key: 'h', data: { title: 'Home' } } as const
  t.match(await send(home), { status: 200, body: { data: { id: 1 } } })
  t.match(await send(home), { status: 200, body: { data: { id: 1 } }, headers: replayed })
  const removal = { method: 'DELETE', url: '/api/home', key: 'd' } as const
  await send(removal)
  t.match(await send(removal), { status: 200, headers: replayed })
  t.match(await send(home), { status: 200, headers: replayed })
  t.equal(await kernel.query('api::home.home').count(), 0, 'a late repetition does not bring it back')
  const marks = await rows(all => all.select('writes'))
  t.notOk(
    (marks as { readonly writes: number }[]).some(one => one.writes === 0),
    'each has marked that it has written',
  )
})

t.test('twenty equal requests at once write one entry, whatever process they reach', async t => {
  const on = await fresh(t)
  const servers = [await start(t, { on }), await start(t, { on })]
  const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => servers[i % 2]!.send(first)))
  t.same((await servers[0]!.orders()).length, 1)
  t.ok(answers.some(one => one.status === 200))
  for (const { status, body, headers } of answers) {
    if (status === 200) t.equal(body.data.id, 1)
    else t.match([status, headers['retry-after'], body.error.name], [409, '1', 'ConflictError'])
  }
  t.match(await servers[1]!.send(first), { status: 200, body: { data: { id: 1 } }, headers: replayed })
})

t.test('callers have keys of their own', async t => {
  const { send, orders } = await start(t)
  const who = ['ann', 'bob', 'shop', 'till']
  for (const as of who) t.notHas((await send({ ...first, as })).headers, replayed, as)
  for (const as of who) t.match(await send({ ...first, as }), { headers: replayed }, as)
  t.same((await orders()).length, 4)
})

t.test('rights are checked before an answer is given again', async t => {
  const { send } = await start(t)
  await send({ ...first, as: 'stranger' })
  await send(first)
  t.match(await send({ ...first, as: 'stranger' }), { status: 403 }, 'without the right')
  t.match(await send({ ...first, as: 'gone' }), { status: 401 }, 'without credentials')
})

t.test('a refused request is answered again; one that could not be checked is carried out again', async t => {
  let fault: Error | null = null
  const { send, orders } = await start(t, {
    configure: kernel =>
      kernel.hooks.on('preWrite', { for: type => type.uid === uid }, () => {
        if (fault !== null) throw fault
      }),
  })
  const wrong = { key: 'w', data: { count: 1 } }
  t.match(await send(wrong), { status: 400, body: { error: { message: /title/ } } })
  t.match(await send(wrong), { status: 400, headers: replayed })
  for (const [status, error] of [
    [503, new UnavailableError('Later')],
    [500, new Error('unexpected')],
  ] as const) {
    fault = error
    t.match(await send({ ...first, key: `s${status}` }), { status })
    fault = null
    t.match(await send({ ...first, key: `s${status}` }), { status: 200 })
  }
  t.same((await orders()).length, 2)
})

t.test('policies change a body after its fingerprint was taken, and run before a replay', async t => {
  let calls = 0
  let isOpen = true
  const { send } = await start(t, {
    configure: ({ actions }) =>
      actions.set(`${uid}.create`, {
        policies: [
          (context: { readonly request: { readonly body: { readonly data: { count?: number } } } }) => {
            context.request.body.data.count = ++calls
            return isOpen
          },
        ] as never,
      }),
  })
  t.match(await send(first), { status: 200, body: { data: { attributes: { count: 1 } } } })
  t.match(await send(first), { status: 200, body: { data: { attributes: { count: 1 } } }, headers: replayed })
  isOpen = false
  t.match(await send(first), { status: 403 })
})

t.test('what is kept, and for how long', async t => {
  const { send, orders, rows } = await start(t, { config: { keepFor: 1, maxAnswerBytes: 300 } })
  await send(first)
  const long = { key: 'long', data: { title: 'x'.repeat(250) } }
  t.match(await send(long), { status: 200 })
  t.match(await send(long), { status: 409, body: { error: { message: /answered with 200.*too long/ } } })
  t.same((await orders()).length, 2)
  await wait(1100)
  t.match(await send(first), { status: 200, body: { data: { id: 3 } } }, 'carried out again after its time')
  t.equal(await rows(count), 2)
})

t.test('old rows are deleted by later requests', async t => {
  const { send, rows } = await start(t)
  const old = Array.from({ length: 3 }, (_, i) => ({ id: `old${i}`, fingerprint: 'f', started_at: 1000 + i }))
  await rows(all => all.insert(old))
  await send(first)
  t.equal(await rows(count), 1)
})

t.test('the process of the first request was killed after it had written', async t => {
  const { send, orders, rows } = await start(t, { config: { lostAfter: 1 } })
  await send(first)
  await rows(all => all.update({ status: null, type: null, body: null }))
  const now = await send(first)
  t.match(now, { status: 409, headers: { 'retry-after': '1' }, body: { error: { message: /has not ended yet/ } } })
  await wait(1100)
  const later = await send(first)
  t.match(later, { status: 409, body: { error: { message: /has written, but its answer is not known/ } } })
  t.notHas(later.headers, { 'retry-after': '1' })
  t.same((await orders()).length, 1, 'nothing is written twice')
})

t.test('the process of the first request was killed before it had written', async t => {
  const on = await fresh(t)
  const config = { lostAfter: 1 }
  const servers = [await start(t, { on, config }), await start(t, { on, config })]
  const [{ send, orders, rows }] = servers as [(typeof servers)[0]]
  await send(first)
  await send({ method: 'DELETE', url: '/api/orders/1' })
  await rows(all => all.update({ status: null, type: null, body: null, writes: 0 }))
  t.match(await send(first), { status: 409, headers: { 'retry-after': '1' } }, 'it may still come')
  await wait(1100)
  const answers = await Promise.all(Array.from({ length: 10 }, (_, i) => servers[i % 2]!.send(first)))
  t.same((await orders()).length, 1, 'one of the next is carried out')
  for (const { status } of answers) t.ok(status === 200 || status === 409, String(status))
  t.match(await send(first), { status: 200, body: { data: { id: 2 } }, headers: replayed })
})

t.test('a request that was taken for lost writes nothing any more', async t => {
  const slow = Promise.withResolvers<void>()
  const reached = Promise.withResolvers<void>()
  let calls = 0
  const { send, orders } = await start(t, {
    config: { lostAfter: 1 },
    configure: kernel =>
      kernel.hooks.on('preWrite', { for: type => type.uid === uid, actions: ['create'] }, async () => {
        if (++calls > 1) return
        reached.resolve()
        await slow.promise
      }),
  })
  const late = send(first)
  await reached.promise
  await wait(1100)
  t.match(await send(first), { status: 200, body: { data: { attributes: { title: 'One' } } } })
  slow.resolve()
  t.match(await late, { status: 409, body: { error: { message: /longer than lostAfter, 1 seconds/ } } })
  t.same((await orders()).length, 1)
  t.match(await send(first), { status: 200, headers: replayed }, 'the answer of the other one stays')
})

t.test('a fault after COMMIT does not write twice, one before it does not stop the next request', async t => {
  let fault: Error | null = null
  const fail = () => {
    if (fault !== null) throw fault
  }
  const { send, orders } = await start(t, {
    configure: ({ hooks }) => {
      hooks.on('preReply', { for: type => type.uid === uid, actions: ['create', 'delete'] }, fail)
      hooks.on('onWrite', { for: type => type.uid === uid, actions: ['update'], order: 'post' }, fail)
    },
  })
  const message = (status: number) =>
    `The first request with this Idempotency-Key has written, but was answered with ${status}: look at the entries, and send a new key`
  for (const [status, error] of [
    [503, new UnavailableError('Later')],
    [500, new Error('unexpected')],
    [403, new ForbiddenError()],
  ] as const) {
    const request = { key: `c${status}`, data: { title: String(status) } }
    fault = error
    t.match(await send(request), { status })
    fault = null
    t.match(await send(request), { status: 409, body: { error: { message: message(status) } } })
    t.match(await send({ ...request, data: { title: 'x' } }), { status: 422 })
  }
  t.same(
    (await orders()).map(one => one.title),
    ['503', '500', '403'],
  )
  const update = { key: 'u', method: 'PUT', url: '/api/orders/1', data: { count: 1 } } as const
  fault = new Error('rolled back')
  t.match(await send(update), { status: 500 })
  fault = null
  t.match(await send(update), { status: 200, body: { data: { attributes: { count: 1 } } } })
})
