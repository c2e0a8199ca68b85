// Codes in mails, bodies and spans.

import t from 'tap'
import { checkBody, roleOf } from '../../src/accounts/bodies.ts'
import { confirmationCode, isStored, makeCode, resetCode, userOf } from '../../src/accounts/codes.ts'
import { hasInvisible, normalizeEmail } from '../../src/accounts/names.ts'

t.test('B-6.43: codes have the lengths of v4, and are stored as hashes', async t => {
  const reset = makeCode(resetCode, 12)
  t.match(reset.code, /^[\da-f]{128}$/)
  t.match(makeCode(confirmationCode, 12).code, /^[\da-f]{40}$/)
  t.notOk(reset.stored.includes(reset.code))
  t.equal(userOf(resetCode, reset.code), 12)
  t.equal(isStored(reset.code, reset.stored), true)
  t.equal(isStored(makeCode(resetCode, 12).code, reset.stored), false)
  t.equal(isStored(reset.stored, reset.stored), false, 'what is stored is no code')
})

t.test('security.md row 64: an ended code, a changed end, and what is no code', async t => {
  const ended = makeCode({ bytes: 64, lifetime: -5000 }, 12)
  t.equal(userOf(resetCode, ended.code), null)
  const later = `${ended.code.slice(0, 10)}ffffffff${ended.code.slice(18)}`
  t.equal(userOf(resetCode, later), 12)
  t.equal(isStored(later, ended.stored), false, 'the end is part of what is hashed')
  for (const code of [undefined, null, '', 5, {}, { $gt: '' }, [ended.code], 'x'.repeat(128), 'A'.repeat(128)])
    t.equal(userOf(resetCode, code), null)
  t.equal(isStored('', null), false)
  t.equal(isStored('', ''), false)
})

t.test('faults of bodies, in the order of v4', async t => {
  const fields = [{ name: 'email', isEmail: true }, { name: 'password' }]
  t.throws(() => checkBody({}, { fields }), {
    message: '2 errors occurred',
    details: { errors: [{ path: ['email'] }, { path: ['password'], message: 'password is a required field' }] },
  })
  t.throws(() => checkBody({ email: 'a@b.c', password: 'x', extra: 1 }, { fields, isClosed: true }), {
    message: 'this field has unspecified keys: extra',
    details: { errors: [{ path: [] }] },
  })
  t.throws(() => checkBody({ email: { $gt: '' }, password: 'x' }, { fields }), /email must be a `string` type, but/)
  t.throws(() => checkBody({ email: 'a@b.c', password: 123456 }, { fields }), {
    message: 'password must be a `string` type',
  })
  for (const body of [undefined, null, 'x', [1]]) t.throws(() => checkBody(body, { fields }), /2 errors occurred/)
  for (const email of ['bob', 'a@b', 'a@b.c\n', 'a@b.c,d@e.f', '"a\r\nb"@c.d', `${'a'.repeat(400)}@b.c`])
    t.throws(() => checkBody({ email, password: 'x' }, { fields }), /email must be a valid email/, email)
})

t.test('B-6.32: the role of a body', async t => {
  for (const role of [3, '3', { id: 3 }, { connect: [{ id: 3 }] }, { connect: [3] }, { set: [{ id: '3' }] }, [3]])
    t.equal(roleOf(role), 3, JSON.stringify(role))
  t.equal(roleOf(undefined), undefined)
  t.throws(() => roleOf(null), /role is a required field/)
  for (const role of [{ disconnect: [{ id: 3 }] }, { connect: [] }, { connect: [1, 2] }, {}, []])
    t.throws(() => roleOf(role), /Users must have a role/, JSON.stringify(role))
  for (const role of ['x', -1, 1.5, true, { connect: [{ id: { $gt: 0 } }] }, { connect: [[1]] }])
    t.throws(() => roleOf(role), /role must be the id of a role/, JSON.stringify(role))
})

t.test('security.md row 65: names in one form', async t => {
  t.equal(normalizeEmail(' ＡDMIN@Example.COM '), 'admin@example.com')
  t.ok(hasInvisible('ad\u200bmin'))
  t.ok(hasInvisible('ad\u202emin'))
  t.notOk(hasInvisible('Ådmin 管理者'))
})
