/**
 * Law: reads have no hooks per row. Rows become JSON text without becoming objects, unless a lifecycle receives them.
 */

import type { Codec, Kernel } from '@plinth/kernel'
import t, { type Test } from 'tap'
import { boot, type Client, client } from '../boot.ts'

/**
 * Counts of conversions of rows to objects: decoded values, and entries that are passed to JSON.stringify as a whole.
 */
interface Objects {
  decoded: number
  stringified: number
}

/** Whether the value is an entry, a list of entries, or an answer that contains one of them. */
function holdsEntry(value: unknown): boolean {
  if (value === null || typeof value !== 'object') return false
  const { id, data } = value as { id?: unknown; data?: unknown }
  // An object with only an id comes from mysql2, which quotes that column's name in this way.
  if (typeof id === 'number' && Object.keys(value).length > 1) return true
  return holdsEntry(Array.isArray(value) ? value[0] : data)
}

/** Starts counting; codecs and JSON belong to the whole process, so they are restored at the end. */
function watch(t: Test, kernel: Kernel): Objects {
  const objects: Objects = { decoded: 0, stringified: 0 }
  for (const codec of new Set<Codec>(Object.values(kernel.database.dialect.codecs))) {
    const { decode } = codec
    t.teardown(() => Object.assign(codec, { decode }))
    Object.assign(codec, {
      decode(raw: never) {
        objects.decoded++
        return decode(raw)
      },
    })
  }
  const { stringify } = JSON
  t.teardown(() => Object.assign(JSON, { stringify }))
  JSON.stringify = ((value: unknown, ...rest: []) => {
    if (holdsEntry(value)) objects.stringified++
    return stringify(value, ...rest)
  }) as typeof stringify
  return objects
}

async function fill(api: Client): Promise<void> {
  await api.create('tags', { label: 'a' }, { label: 'b' })
  await api.create('people', { fullName: 'Ann', interests: [1, 2] })
  const blocks = [
    { __component: 'blocks.quote', text: 'q' },
    { __component: 'blocks.gallery', caption: 'c', links: [{ label: 'l' }] },
  ]
  const article = { author: 1, tags: [1, 2], seo: { metaTitle: 'm', social: [{ label: 's' }] }, blocks }
  await api.create('articles', { title: 'one', ...article }, { title: 'two', ...article })
  await api.create('specimens', { short: 's', whole: 1, big: '2', ratio: 1.5, amount: 2.5, payload: { a: 1 } })
  await api.put('/api/site-setting', { data: { siteName: 'x' } })
}

const reads = [
  '/api/articles',
  '/api/articles?sort=title&fields=title&pagination[pageSize]=1&filters[tags][label]=a',
  '/api/articles?populate=*',
  '/api/articles?populate[author][populate]=interests&populate[seo][populate]=*&populate[blocks][populate]=*',
  '/api/articles/1?populate=author,tags',
  '/api/specimens',
  '/api/specimens/1',
  '/api/site-setting',
]

t.test('no row becomes an object', async t => {
  const app = await boot(t)
  const api = client(app)
  await fill(api)
  const objects = watch(t, app.kernel)
  for (const url of reads) {
    for (const time of ['first', 'next']) {
      Object.assign(objects, { decoded: 0, stringified: 0 })
      const { status, text } = await api.get(url)
      t.equal(status, 200)
      t.match(text, /"attributes":\{"/, 'and there is a row')
      t.same(objects, { decoded: 0, stringified: 0 }, `${url}, the ${time} time`)
    }
  }

  t.test('the counters count', async t => {
    const entries = await app.kernel.query('api::article.article').findMany()
    t.ok(objects.decoded > 0, 'code is handed objects')
    JSON.stringify({ data: entries })
    t.equal(objects.stringified, 1, 'and one who writes them in one go is seen')
  })
})

t.test('rows become objects if a lifecycle receives them', async t => {
  const app = await boot(t, {
    configure: kernel => kernel.lifecycles.subscribe(['api::article.article'], { afterFindMany: () => {} }),
  })
  const api = client(app)
  await fill(api)
  const objects = watch(t, app.kernel)
  await api.list('/api/articles')
  t.ok(objects.decoded > 0)
  Object.assign(objects, { decoded: 0, stringified: 0 })
  await api.list('/api/specimens')
  t.same(objects, { decoded: 0, stringified: 0 }, 'of its type only')
})

t.test('hooks of a read are called as often for fifty rows as for one', async t => {
  let calls = 0
  const call = () => {
    calls++
    return undefined
  }
  const app = await boot(t, {
    configure({ hooks }) {
      for (const name of ['prePlan', 'preExecute', 'onExecute', 'preReply', 'onStatement'] as const)
        hooks.on(name, call)
    },
  })
  const api = client(app)
  await fill(api)
  // The least of several reads: one that a busy machine delays runs again in a process of its own.
  const count = async (size: number) => {
    const url = `/api/tags?populate=articles&pagination[limit]=${size}`
    await api.list(url)
    const counts: number[] = []
    for (let i = 0; i < 8; i++) {
      calls = 0
      t.equal((await api.list(url)).length, size)
      counts.push(calls)
    }
    return Math.min(...counts)
  }
  await api.create('tags', ...Array.from({ length: 60 }, (_, i) => ({ label: `t${i}`, articles: [1, 2] })))
  const one = await count(1)
  t.ok(one > 4, 'they are called')
  t.equal(await count(50), one)
})
