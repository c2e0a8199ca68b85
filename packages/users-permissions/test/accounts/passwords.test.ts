// Hashes: scrypt in its PHC form, bcrypt of v4, upgrades in both directions, and a bounded queue off the event loop.

import { scryptSync } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { hash as bcryptHash } from '@node-rs/bcrypt'
import { UnavailableError } from '@plinth/kernel'
import { processorSince } from '@plinth/test-tools/processor'
import t from 'tap'
import { Passwords } from '../../src/accounts/passwords.ts'
import { formatScrypt, parseScrypt } from '../../src/accounts/phc.ts'
import { Scrypt } from '../../src/accounts/scrypt.ts'

/** One for all tests: hashes take time. */
const passwords = new Passwords('scrypt')
const bcrypt = new Passwords('bcrypt')
t.teardown(() => Promise.all([passwords.close(), bcrypt.close()]))

t.test('a new hash is scrypt in PHC form, and what node computes too', async t => {
  const stored = await passwords.hash('correct horse')
  t.match(stored, /^\$scrypt\$ln=15,r=8,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
  const { ln, r, p, salt, hash } = parseScrypt(stored)!
  const expected = scryptSync('correct horse', salt, 32, { N: 2 ** ln, r, p, maxmem: 64 * 1024 * 1024 })
  t.same(hash, expected)
  t.same(await passwords.verify('correct horse', stored), { isRight: true, upgrade: null })
  t.same(await passwords.verify('correct hors', stored), { isRight: false, upgrade: null })
  t.not(stored, await passwords.hash('correct horse'), 'each has its own salt')
})

t.test('security.md row 63: what is longer than 72 bytes never verifies', async t => {
  const long = 'x'.repeat(72)
  const stored = await bcryptHash(long, { cost: 4 })
  t.equal((await bcrypt.verify(long, stored)).isRight, true)
  t.equal((await bcrypt.verify(`${long}y`, stored)).isRight, false, 'bcrypt alone would compare 72 bytes')
  t.equal((await passwords.verify('x'.repeat(1_000_000), await passwords.hash(long))).isRight, false)
})

t.test('a hash of v4 verifies, and is upgraded', async t => {
  const stored = await bcryptHash('alice-secret', { cost: 10, version: '2a' })
  const { isRight, upgrade } = await passwords.verify('alice-secret', stored)
  t.equal(isRight, true)
  t.match(upgrade, /^\$scrypt\$/)
  t.equal((await passwords.verify('alice-secret', upgrade)).isRight, true)
  t.same(await passwords.verify('alice', stored), { isRight: false, upgrade: null })
})

t.test('with bcrypt a scrypt hash becomes one that v4 reads', async t => {
  const { isRight, upgrade } = await bcrypt.verify('alice-secret', await passwords.hash('alice-secret'))
  t.equal(isRight, true)
  t.match(upgrade, /^\$2a\$10\$/)
  t.same(await bcrypt.verify('alice-secret', upgrade), { isRight: true, upgrade: null })
})

t.test('security.md row 62: without a hash it takes as long', async t => {
  const stored = await passwords.hash('known')
  const time = async (hash: string | null) => {
    const began = performance.now()
    await passwords.verify('guess', hash)
    return performance.now() - began
  }
  const known: number[] = []
  const unknown: number[] = []
  for (let i = 0; i < 3; i++) {
    known.push(await time(stored))
    unknown.push(await time(null))
  }
  const [a, b] = [Math.min(...known), Math.min(...unknown)]
  t.ok(b > a / 2 && b < a * 2, `${a.toFixed()} ms and ${b.toFixed()} ms`)
})

t.test('text that is no hash verifies nothing', async t => {
  for (const stored of [
    '',
    'plain',
    '$scrypt$ln=31,r=8,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAA',
    '$2a$10$short',
  ])
    t.same(await bcrypt.verify('plain', stored), { isRight: false, upgrade: null }, stored)
  t.equal(parseScrypt(formatScrypt({ ln: 18, r: 32, p: 1, salt: Buffer.alloc(16), hash: Buffer.alloc(32) })), null)
})

t.test('a hash that was computed ahead is used once', async t => {
  const seen = await passwords.hashAhead('ahead-secret', async () => {
    const began = process.cpuUsage()
    const stored = await passwords.prepare('ahead-secret', {})
    return { stored, took: processorSince(began) }
  })
  t.ok(seen.took < 100, `${seen.took} ms`)
  t.equal((await passwords.verify('ahead-secret', seen.stored)).isRight, true)
  t.not(await passwords.prepare('ahead-secret', {}), seen.stored)
  await t.rejects(
    passwords.hashAhead('failed', () => Promise.reject(new RangeError('no'))),
    RangeError,
  )
})

t.test('keys are derived off the event loop, and a bounded number waits', async t => {
  const scrypt = new Scrypt()
  t.teardown(() => scrypt.close())
  // A quarter of what a password costs: the queue is the same.
  const derive = () =>
    scrypt.derive({ password: Buffer.from('x'), salt: Buffer.alloc(16), ln: 13, r: 8, p: 1, length: 32 })
  await derive()
  const before = { thread: process.threadCpuUsage(), all: process.cpuUsage() }
  const results = await Promise.allSettled(Array.from({ length: 30 }, derive))
  const thread = process.threadCpuUsage(before.thread)
  const all = process.cpuUsage(before.all)
  const refused = results.flatMap(one => (one.status === 'rejected' ? [one.reason] : []))
  t.ok(refused.length >= 3 && refused.length < 10, `${refused.length} were refused`)
  for (const error of refused) t.match(error, { status: 503, retryAfter: 5 })
  t.ok(refused[0] instanceof UnavailableError)
  // Processor time, because other programs of the machine make the event loop stand still too.
  const share = (thread.user + thread.system) / (all.user + all.system)
  t.ok(share < 0.1, `the event loop's thread took ${(share * 100).toFixed(1)} % of the time`)
})

t.test('a thread that ends refuses what it had, and the next hash has another', async t => {
  const scrypt = new Scrypt()
  const input = { password: Buffer.from('a'), salt: Buffer.alloc(16), ln: 15, r: 8, p: 1, length: 32 }
  const pending = scrypt.derive(input)
  await wait(20)
  await Promise.all([t.rejects(pending, UnavailableError), scrypt.close()])
  await t.rejects(scrypt.derive(input), UnavailableError)
  await t.resolves(new Scrypt().close(), 'without a thread there is nothing to end')
})
