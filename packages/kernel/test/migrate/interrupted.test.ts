// A migration whose process is killed at any statement loses nothing, and the next one completes it; two that start
// together do not disturb each other.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fresh, onOwn } from '@plinth/test-tools/on-each'
import { createKernel } from '../../src/index.ts'
import { type, uid } from '../fixtures/boot.ts'
import { apply, everything, filled, modelOf, open, planned, type Words } from '../fixtures/migrate.ts'
import type { Orders } from '../fixtures/migrating-process.ts'

interface Ended {
  readonly code: number | null
  readonly signal: string | null
  readonly received: number
  readonly done: readonly string[]
  readonly error: string
}

async function run(orders: Orders, env: Readonly<Record<string, string>> = {}): Promise<Ended> {
  const file = join(import.meta.dirname, '../fixtures/migrating-process.ts')
  const child = spawn(process.execPath, [file, JSON.stringify(orders)], {
    env: { ...process.env, ...env, NODE_OPTIONS: '' },
  })
  let [text, error] = ['', '']
  child.stdout.on('data', chunk => (text += String(chunk)))
  child.stderr.on('data', chunk => (error += String(chunk)))
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null]
  const { received = 0, done = [] } = (text === '' ? {} : JSON.parse(text)) as Partial<Ended>
  return { code, signal, received, done, error }
}

const words: Partial<Words> = { post: 'article', seo: 'search' }

await onOwn('a rename completes after its process was killed', async (t, client) => {
  const model = modelOf(words)
  const { database, before } = await filled(t)
  const kernel = await open(t, database, model)
  let [at, kills, left] = [1, 0, (await planned(kernel)).length]
  for (;;) {
    const ended = await run({ database, model, migrate: 'none', names: [], killAt: at })
    if (ended.signal !== 'SIGKILL') {
      t.equal(ended.code, 0, ended.error)
      break
    }
    kills++
    const now = (await planned(kernel)).length
    // Where a statement stays, the next process begins behind it; where all goes back, it is killed further on.
    at = now < left ? 2 : at + (client === 'mysql' ? 1 : 4)
    left = now
  }
  t.ok(kills > 5, `${kills} processes were killed`)
  t.same(await planned(kernel), [])
  t.same(await everything(kernel, words), before)
})

const thing = (kind: string, more = {}) => ({
  contentTypes: [type('thing', { value: { type: kind, unique: true }, ...more })],
  components: {},
})

await onOwn('a conversion and a drop complete after their process was killed', async t => {
  const names = ['retype:things.value', 'drop:things.gone']
  for (let at = 1; ; at++) {
    const { config: database } = await fresh(t)
    const kernel = await createKernel({ database, ...thing('string', { gone: { type: 'text' } }) })
    for (let i = 1; i <= 50; i++) await kernel.query(uid('thing')).create({ data: { value: ` ${i} `, gone: `${i}` } })
    await kernel.close()
    const model = thing('integer')
    const ended = await run({ database, model, migrate: 'none', names, killAt: at })
    const again = await open(t, database, model)
    const left = (await planned(again)).map(step => step.split(' ')[1]!).filter(name => names.includes(name))
    await apply(again, left)
    t.same(await planned(again), [], `killed at ${at}`)
    const values = (await again.query(uid('thing')).findMany({ sort: 'id' })).map(entry => entry.value)
    t.same(
      values,
      Array.from({ length: 50 }, (_, i) => i + 1),
    )
    if (ended.signal === null) {
      t.equal(ended.code, 0, ended.error)
      t.ok(at > 2, `${at - 1} processes were killed`)
      break
    }
  }
})

await onOwn('the creation of tables completes after its process was killed', async t => {
  const { config: database } = await fresh(t)
  const model = modelOf()
  for (let at = 1; ; at++) {
    const ended = await run({ database, model, killAt: at * 5 })
    if (ended.signal === 'SIGKILL') continue
    t.equal(ended.code, 0, ended.error)
    t.ok(at > 1, `${at - 1} processes were killed`)
    break
  }
  t.same(await planned(await open(t, database, model)), [])
})

await onOwn('security.md row 90: processes that start together do not disturb each other', async t => {
  const { config: database } = await fresh(t)
  const model = modelOf()
  const made = await Promise.all([1, 2, 3].map(() => run({ database, model })))
  t.same(
    made.map(one => one.error),
    ['', '', ''],
  )
  const created = made.flatMap(one => one.done)
  t.equal(new Set(created).size, created.length, 'every table is made once')
  const renamed = modelOf(words)
  const again = await Promise.all([1, 2, 3].map(() => run({ database, model: renamed, migrate: 'none', names: [] })))
  t.same(
    again.map(one => one.error),
    ['', '', ''],
  )
  t.equal(again.filter(one => one.done.length > 0).length, 1, 'one renames, the others find it done')
  t.same(await planned(await open(t, database, renamed)), [])

  const newer = { ...renamed, contentTypes: [...renamed.contentTypes, type('extra', { text: { type: 'string' } })] }
  const versions = await Promise.all([renamed, newer].map(one => run({ database, model: one })))
  t.same(
    versions.map(one => one.error),
    ['', ''],
    'two versions start together',
  )
  t.same(await planned(await open(t, database, newer)), [])
})
