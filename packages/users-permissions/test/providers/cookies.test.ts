// Cookies with a signature (security.md row 66).

import t from 'tap'
import { SignedCookies } from '../../src/accounts/providers/cookies.ts'

const text = {
  parse: (header: string) => Object.fromEntries(header.split('; ').map(one => one.split('=') as [string, string])),
  serialize: (name: string, value: string) => `${name}=${value}`,
}
const cookies = new SignedCookies(Buffer.alloc(32, 1), text)

t.test('a cookie is read if it was written here, under this name, with this value', async t => {
  const set = cookies.write('state', 'a.b', {})
  t.same({ ...cookies.read(set) }, { state: 'a.b' })
  const signature = set.split('.').at(-1)
  const others = ['state=a.b', 'state=a.b.', 'state=a.b.x', `state=a.c.${signature}`, `state=${signature}`, 'state=']
  for (const other of [...others, `other=a.b.${signature}`, `${set}x`, ''])
    t.same({ ...cookies.read(other) }, {}, other)
  t.same({ ...cookies.read(undefined) }, {})
  const foreign = new SignedCookies(Buffer.alloc(32, 2), text)
  t.same({ ...cookies.read(foreign.write('state', 'a.b', {})) }, {}, 'with another key')
})
