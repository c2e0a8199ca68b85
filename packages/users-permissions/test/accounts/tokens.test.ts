// Tokens: what they hold, and every form in which a forged one could come (security.md row 57).

import { createHmac } from 'node:crypto'
import jwt from '@fastify/jwt'
import Fastify from 'fastify'
import t, { type Test } from 'tap'
import { lifetimeOf, type Signer, Tokens } from '../../src/accounts/tokens.ts'

const secret = 'a secret of the tests, long enough'

async function open(t: Test, lifetime = 3600): Promise<Tokens> {
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(jwt, {
    secret,
    sign: { algorithm: 'HS256' },
    verify: { algorithms: ['HS256'], requiredClaims: ['id', 'iat', 'exp'] },
  })
  return new Tokens(() => app.jwt as unknown as Signer, lifetime)
}

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** A token as anybody who knows a secret can write it. */
function forge(header: object, payload: object, key = secret, hash = 'sha256'): string {
  const text = `${part(header)}.${part(payload)}`
  return `${text}.${createHmac(hash, key).update(text).digest('base64url')}`
}

const now = () => Math.floor(Date.now() / 1000)
const good = () => ({ id: 7, iat: now(), exp: now() + 60 })
const plain = { alg: 'HS256', typ: 'JWT' }

t.test('B-6.15: a token has id, iat and exp, and is HS256', async t => {
  const tokens = await open(t)
  const token = tokens.issue(7, null)
  const [header, payload] = token
    .split('.')
    .slice(0, 2)
    .map(one => JSON.parse(Buffer.from(one, 'base64url').toString()))
  t.same(header, plain)
  t.same(Object.keys(payload).sort(), ['exp', 'iat', 'id'])
  t.equal(payload.exp - payload.iat, 3600)
  t.match(tokens.read(token), { userId: 7, issuedAt: payload.iat * 1000, endsAt: payload.exp * 1000 })
})

t.test('a token of v4 is read', async t => {
  const tokens = await open(t)
  t.match(tokens.read(forge(plain, good())), { userId: 7 })
  t.match(tokens.read(forge({ alg: 'HS256' }, good())), { userId: 7 })
})

t.test('security.md row 57: no other token is (CVE-2026-35042: crit)', async t => {
  const tokens = await open(t)
  const { id, iat, exp } = good()
  const unsigned = (alg: string) => `${part({ alg, typ: 'JWT' })}.${part(good())}.`
  const cases: Record<string, string> = {
    'alg none': unsigned('none'),
    'alg None': unsigned('None'),
    'no signature': `${part(plain)}.${part(good())}.`,
    RS256: forge({ alg: 'RS256', typ: 'JWT' }, good()),
    HS512: forge({ alg: 'HS512', typ: 'JWT' }, good(), secret, 'sha512'),
    crit: forge({ ...plain, crit: ['exp'] }, good()),
    'an unknown crit': forge({ ...plain, crit: ['x'], x: 1 }, good()),
    jwk: forge({ ...plain, jwk: { kty: 'oct', k: 'c2VjcmV0' } }, good()),
    kid: forge({ ...plain, kid: '../../dev/null' }, good()),
    'another type': forge({ alg: 'HS256', typ: 'at+jwt' }, good()),
    'no exp': forge(plain, { id, iat }),
    'exp as text': forge(plain, { id, iat, exp: String(exp) }),
    'no iat': forge(plain, { id, exp }),
    'no id': forge(plain, { iat, exp }),
    'id as text': forge(plain, { id: '7', iat, exp }),
    'an id of 0': forge(plain, { id: 0, iat, exp }),
    'an id of 1.5': forge(plain, { id: 1.5, iat, exp }),
    'an object as id': forge(plain, { id: { $gt: 0 }, iat, exp }),
    ended: forge(plain, { id, iat: iat - 100, exp: iat - 10 }),
    'iat in the future': forge(plain, { id, iat: iat + 3600, exp: exp + 7200 }),
    'nbf in the future': forge(plain, { id, iat, exp, nbf: iat + 3600 }),
    'the secret of another service': forge(plain, good(), 'another secret'),
    'an empty secret': forge(plain, good(), ''),
    'one changed letter': forge(plain, good()).replace(/.\./, 'A.'),
    garbage: 'abc.def.ghi',
    empty: '',
    'one part': part(plain),
    'a huge one': `${part(plain)}.${'a'.repeat(5000)}.x`,
  }
  for (const [name, token] of Object.entries(cases)) t.equal(tokens.read(token), null, name)
})

t.test('security.md row 58: a token of the second of a change says its millisecond', async t => {
  const tokens = await open(t)
  const change = Date.now()
  const late = tokens.read(tokens.issue(7, change))!
  t.ok(late.issuedAt >= change, 'it is valid after the change')
  const early = tokens.read(forge(plain, { ...good(), iat: Math.floor(change / 1000) }))!
  t.ok(early.issuedAt < change || change % 1000 === 0, 'one without it is not')
  const lying = forge(plain, { ...good(), ms: Date.now() + 60_000 })
  t.equal(tokens.read(lying)!.issuedAt % 1000, 0, 'a millisecond of another second says nothing')
})

t.test('how long a token is valid', async t => {
  t.equal(lifetimeOf('30d'), 30 * 86_400)
  t.equal(lifetimeOf('12 hours'), 43_200)
  t.equal(lifetimeOf(900), 900)
  t.throws(() => lifetimeOf('30 moons'), /jwt.expiresIn: "30 moons" is not a span .* units are ms, s, m, h, d, w, y/)
  t.throws(() => lifetimeOf('1ms'), /at least a second/)
})
