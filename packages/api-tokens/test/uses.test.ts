// When tokens were last used: recorded at most hourly, in one statement for all (B-6.72, security.md row 59).

import { mock } from 'node:test'
import t from 'tap'
import { Uses } from '../src/uses.ts'
import { fresh, start } from './fixtures/boot.ts'

const hour = 3_600_000

/** Uses in which an hour passes when the test says so. */
function watch(t: { teardown(fn: () => void): void }, fails = () => false) {
  mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 1_700_000_000_000 })
  t.teardown(() => mock.timers.reset())
  const recorded: [number, string][][] = []
  const errors: unknown[] = []
  const uses = new Uses(
    async times => {
      if (fails()) throw new Error('busy')
      recorded.push([...times].map(([id, time]) => [id, time.toISOString().slice(11, 19)]))
    },
    error => errors.push(error),
  )
  const pass = async (ms: number) => {
    mock.timers.tick(ms)
    await new Promise(done => setImmediate(done))
  }
  return { uses, recorded, errors, pass }
}

t.test('at most once an hour, all in one', async t => {
  const { uses, recorded, pass } = watch(t)
  uses.note(1, null)
  await pass(4000)
  uses.note(2, null)
  t.equal(uses.of(2)?.slice(11, 19), '22:13:24')
  await pass(6000)
  t.same(
    recorded,
    [
      [
        [1, '22:13:20'],
        [2, '22:13:24'],
      ],
    ],
    'ten seconds after the first use',
  )
  t.equal(uses.of(2), null)
  uses.note(3, null)
  uses.note(1, new Date().toISOString())
  await pass(hour - 11_000)
  uses.note(3, null)
  t.equal(recorded.length, 1, 'not before an hour has passed')
  await pass(11_000)
  t.same(recorded[1], [[3, '23:13:19']], 'the last use of those that were not recorded within the hour')
  await pass(10 * hour)
  t.equal(recorded.length, 2, 'without uses there is nothing to record')
})

t.test('what is pending is recorded at the end', async t => {
  const { uses, recorded, pass } = watch(t)
  uses.note(1, null)
  await pass(20_000)
  uses.note(2, null)
  await uses.close()
  t.equal(recorded.length, 2)
  await pass(2 * hour)
  t.equal(recorded.length, 2)
  await uses.close()
  t.equal(recorded.length, 2)
})

t.test('a failure is reported and tried again', async t => {
  let fails = true
  const { uses, recorded, errors, pass } = watch(t, () => fails)
  uses.note(1, null)
  await pass(10_000)
  t.equal(errors.length, 1)
  t.equal(recorded.length, 0)
  fails = false
  await pass(60_000)
  t.same(recorded, [[[1, '22:13:20']]])
  fails = true
  uses.note(2, null)
  await t.resolves(uses.close(), 'the end does not fail')
  t.equal(errors.length, 2)
})

t.test('no hook runs, and nothing else of the token changes', async t => {
  const written: string[] = []
  const said: string[] = []
  const { make, get, tokens, close } = await start(t, {
    configure: kernel => {
      kernel.hooks.on('preWrite', write => void written.push(write.type.uid))
      kernel.hooks.on('onCommit', writes => void written.push(...writes.map(write => write.type.uid)))
      kernel.hooks.on('onStatement', text => void said.push(text))
    },
  })
  const one = await make('read-only')
  const two = await make('read-only')
  written.length = 0
  for (const { accessKey } of [one, two, one]) t.equal((await get('/api/articles', accessKey)).status, 200)
  t.type((await tokens.find(one.id)).lastUsedAt, 'string', 'this process knows it before it is recorded')
  said.length = 0
  await close()
  t.same(written, [])
  t.equal(said.filter(text => /^UPDATE .strapi_api_tokens/.test(text)).length, 1, 'one statement for both')
})

t.test('what is recorded is read again, by another server too', async t => {
  const on = await fresh(t)
  const first = await start(t, { on })
  const token = await first.make('read-only')
  await first.get('/api/articles', token.accessKey)
  await first.close()
  const second = await start(t, { on })
  const { lastUsedAt, updatedAt } = await second.tokens.find(token.id)
  t.ok(Math.abs(Date.parse(String(lastUsedAt)) - Date.now()) < 60_000, String(lastUsedAt))
  t.equal(updatedAt, token.updatedAt)
})
