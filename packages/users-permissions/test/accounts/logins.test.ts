// What a login costs, over HTTP: the same for everybody (security.md row 62), and no more than the server can take.

import { hash as bcryptHash } from '@node-rs/bcrypt'
import t from 'tap'
import { Scrypt } from '../../src/accounts/scrypt.ts'
import { refused, start, uid } from '../fixtures/accounts.ts'

const wrong = 'Invalid identifier or password'

t.test('security.md row 62: each login derives one key, whoever is meant', async t => {
  const { kernel, post, user } = await start(t)
  const { table } = kernel.contentTypes.require(uid)
  const store = async (username: string, password: string | null) =>
    kernel.transaction(async tx => void (await tx.knex(table).where({ username }).update({ password })))
  for (const name of ['known', 'without', 'broken', 'old']) await user(name)
  await store('without', null)
  await store('broken', 'no hash')
  await store('old', await bcryptHash('old-secret', { cost: 10, version: '2a' }))
  await user('away', { blocked: true })
  await user('by-provider', { provider: 'github' })

  const { derive } = Scrypt.prototype
  let derived = 0
  const costs = new Set<string>()
  t.teardown(() => {
    Scrypt.prototype.derive = derive
  })
  Scrypt.prototype.derive = function count(input) {
    derived++
    costs.add(`${input.ln} ${input.r} ${input.p} ${input.length}`)
    return derive.call(this, input)
  }
  const cases: readonly [identifier: string, password: string][] = [
    ['known', 'guess'],
    ['known@example.com', 'guess'],
    ['known', 'x'.repeat(100)],
    ['nobody', 'guess'],
    ['nobody@example.com', 'guess'],
    ['nobody', 'x'.repeat(100)],
    ['without', 'guess'],
    ['broken', 'guess'],
    ['old', 'guess'],
    ['away', 'guess'],
    ['by-provider', 'guess'],
  ]
  for (const [identifier, password] of cases) {
    derived = 0
    refused(t, await post('auth/local', { identifier, password }), 400, wrong)
    t.equal(derived, 1, `${identifier} with ${password.slice(0, 5)}`)
  }
  t.equal(costs.size, 1, 'of the same cost')
  derived = 0
  t.equal((await post('auth/local', { identifier: 'known', password: 'known-secret' })).status, 200)
  t.equal(derived, 1, 'the right password')
  refused(t, await post('auth/local', { identifier: 'known' }), 400, 'password is a required field')
  t.equal(derived, 1, 'without a password there is nothing to derive')
})

t.test('more logins queue, and those above the bound are answered 503', async t => {
  const { get, post } = await start(t)
  const logins = Array.from({ length: 32 }, (_, i) => post('auth/local', { identifier: `user${i}`, password: 'guess' }))
  const first = await Promise.race(logins)
  refused(t, first, 503, 'Too many logins at the moment')
  t.equal((await get('notes')).status, 200, 'reads are answered while logins wait')
  const answers = await Promise.all(logins)
  const [taken, left] = [400, 503].map(status => answers.filter(one => one.status === status))
  t.equal(taken!.length + left!.length, 32)
  // One runs and 25 wait, and some of those may have ended before the last ones came.
  t.ok(taken!.length >= 26 && left!.length >= 1, `${taken!.length} were checked, ${left!.length} were refused`)
  for (const one of left!) {
    t.match(one.headers, { 'retry-after': '5' })
    t.match(one.body, { data: null, error: { status: 503, name: String } })
  }
  refused(t, await post('auth/local', { identifier: 'user31', password: 'guess' }), 400, wrong)
})
