// Strategies are asked in order, whether they answer at once or by a promise, and their errors name them.

import t, { type Test } from 'tap'
import { Auth, type AuthStrategy } from '../../src/boot/auth.ts'
import { type Access, openAccess } from '../../src/context.ts'
import { CredentialsError } from '../../src/errors.ts'
import { thrown } from '../fixtures/boot.ts'

const access = (key: string): Access => ({ key, user: null, can: () => false })
const request = { headers: {} }

/** An instance with strategies that are named by their number. */
function authOf(...answers: AuthStrategy['authenticate'][]): Auth {
  const auth = new Auth()
  for (const [i, authenticate] of answers.entries()) auth.use({ name: `s${i}`, authenticate })
  return auth
}

function neverAsked(t: Test): null {
  t.fail('is not asked')
  return null
}

const kinds = {
  'at once': <T>(value: T): T => value,
  'by a promise': async <T>(value: T): Promise<T> => value,
}

for (const [first, say] of Object.entries(kinds))
  for (const [second, sayNext] of Object.entries(kinds)) {
    t.test(`a strategy that answers ${first}, then one that answers ${second}`, async t => {
      const found = authOf(
        () => say(null),
        () => sayNext(access('next')),
        () => neverAsked(t),
      )
      t.equal((await found.authenticate(request)).key, 'next')
      const none = authOf(
        () => say(null),
        () => sayNext(null),
      )
      t.match(await thrown(t, () => none.authenticate(request)), { status: 401 })
    })
  }

t.test('an error rejects, names its strategy, and keeps others from being asked', async t => {
  const refuse = () => {
    throw new CredentialsError('no')
  }
  const strategies = { 'at once': refuse, 'by a promise': async () => refuse(), 'after a promise': refuse }
  for (const [name, authenticate] of Object.entries(strategies)) {
    const before = name === 'after a promise' ? async () => null : () => null
    const auth = authOf(before, authenticate, () => neverAsked(t))
    const error = await thrown(t, () => auth.authenticate(request))
    t.match(error, { status: 401, message: 'no', hook: 'strategy s1' }, name)
  }
})

t.test('without strategies everything is open, except for those who send a token', async t => {
  t.equal(await new Auth().authenticate(request), openAccess)
  const claiming = { headers: { authorization: 'Bearer x' } }
  t.match(await thrown(t, () => new Auth().authenticate(claiming)), { status: 401 })
})
