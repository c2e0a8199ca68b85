// A value that a column of a server cannot hold is a 400 that names its path. SQLite holds all of them.

import { databases, freshDatabase } from '@plinth/test-tools/databases'
import t from 'tap'
import { createKernel } from '../../src/index.ts'
import { component, thrown, type, uid } from '../fixtures/boot.ts'

const nested = (depth: number) => JSON.parse(`${'[{"a":'.repeat(depth / 2)}1${'}]'.repeat(depth / 2)}`) as unknown
const bits31 = 2_147_483_647_999

interface Case {
  readonly value: Readonly<Record<string, unknown>>
  /** The databases that refuse it, with the end of their message. */
  readonly refused: Readonly<Partial<Record<'mysql' | 'postgres', RegExp>>>
}

const cases: readonly Case[] = [
  { value: { stamp: 0 }, refused: { mysql: /^stamp must be between 1970-01-01T00:00:01\.000Z and 2/ } },
  { value: { stamp: 999 }, refused: { mysql: /^stamp must be between/ } },
  { value: { stamp: -1 }, refused: { mysql: /^stamp must be between/ } },
  { value: { stamp: 1000 }, refused: {} },
  { value: { stamp: bits31 }, refused: {} },
  { value: { stamp: 4_294_967_296_000 }, refused: { mysql: /^stamp must be between/ } },
  { value: { moment: '1970-01-01T00:00:00Z' }, refused: {} },
  { value: { moment: '9999-12-31T23:59:59.999Z' }, refused: {} },
  { value: { moment: '+010000-01-01T00:00:00Z' }, refused: { mysql: /^moment must be between the years 1 and 9999/ } },
  { value: { data: nested(30) }, refused: {} },
  { value: { data: nested(32) }, refused: { mysql: /^data must have at most 31 levels of nested lists and objects/ } },
  { value: { data: { text: '[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[["{{{' } }, refused: {} },
  { value: { data: { text: '\0' } }, refused: { postgres: /^data must not contain a NUL character/ } },
  { value: { data: { 'a\0': 1 } }, refused: { postgres: /^data must not contain a NUL character/ } },
  { value: { data: { text: '\\u0000 and \\\\u0000' } }, refused: {} },
  { value: { data: '\ud800' }, refused: { mysql: /^data must be well-formed/, postgres: /^data must be well-formed/ } },
  {
    value: { data: ['\udc00'] },
    refused: { mysql: /^data must be well-formed/, postgres: /^data must be well-formed/ },
  },
  { value: { data: ['😀', '\\ud800'] }, refused: {} },
  { value: { title: '😀'.repeat(255) }, refused: {} },
  {
    value: { title: '😀'.repeat(256) },
    refused: { mysql: /^title must be at most 255/, postgres: /^title must be at/ },
  },
]

for (const client of await databases()) {
  t.test(client, async t => {
    const attributes = {
      title: { type: 'string' },
      moment: { type: 'datetime' },
      stamp: { type: 'timestamp' },
      data: { type: 'json' },
      parts: { type: 'component', component: 'part.one', repeatable: true },
    }
    const database = await freshDatabase(client)
    const kernel = await createKernel({
      database: database.config,
      contentTypes: [type('page', attributes)],
      components: { 'part.one': component('part.one', { stamp: { type: 'timestamp' }, data: { type: 'json' } }) },
    })
    t.teardown(async () => {
      await kernel.close()
      await database.drop()
    })
    const pages = kernel.query(uid('page'))
    const known = await pages.create({ data: {} })
    for (const { value, refused } of cases) {
      const [name] = Object.keys(value)
      const fault = client === 'sqlite' ? undefined : refused[client]
      for (const write of [
        () => pages.create({ data: value }),
        () => pages.update(known.id as number, { data: value }),
      ]) {
        if (fault === undefined) await write()
        else {
          const error = await thrown(t, write)
          t.match(error, { status: 400, message: fault, details: { errors: [{ path: [name], message: fault }] } })
        }
      }
    }
    const within = () => pages.create({ data: { parts: [{}, { stamp: 0 }, { data: '\ud800' }] } })
    if (client === 'sqlite') await within()
    else {
      const places =
        client === 'mysql'
          ? [
              ['parts', '1', 'stamp'],
              ['parts', '2', 'data'],
            ]
          : [['parts', '2', 'data']]
      t.match(await thrown(t, within), { status: 400, details: { errors: places.map(path => ({ path })) } })
    }
  })
}
