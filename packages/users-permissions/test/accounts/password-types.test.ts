// The attribute type `password` with and without the plugin passwords: one hash function holds for all attributes.

import passwords from '@plinth/passwords'
import t from 'tap'
import { start, uid } from '../fixtures/accounts.ts'

const door = {
  kind: 'collectionType',
  collectionName: 'doors',
  info: { singularName: 'door', pluralName: 'doors', displayName: 'Door' },
  attributes: { pin: { type: 'password', minLength: 4, encryption: { rounds: 5 } } },
}
const listed = { passwords: { plugin: passwords } }

for (const [what, plugins] of [
  ['with the plugin passwords', listed],
  ['without the plugin passwords', {}],
] as const)
  for (const algorithm of ['scrypt', 'bcrypt'] as const)
    t.test(`${what}, hashes are those of the settings (${algorithm})`, async t => {
      const { kernel, user, logIn } = await start(t, {
        contentTypes: [door],
        plugins,
        config: { passwords: { algorithm } },
      })
      const doors = kernel.query('api::door.door')
      const { id } = await doors.create({ data: { pin: 'first' } })
      // The cost of an attribute is one of bcrypt.
      t.match(await doors.findOne(id), { pin: algorithm === 'scrypt' ? /^\$scrypt\$ln=15,/ : /^\$2a\$05\$/ })
      await t.rejects(doors.create({ data: { pin: 'abc' } }), { message: 'pin must be at least 4 characters' })
      await t.rejects(doors.create({ data: { pin: 'x'.repeat(73) } }), { message: 'pin must be at most 72 bytes' })
      const { id: userId } = await user('ann')
      const { password } = (await kernel.query(uid).findOne(userId))!
      t.match(password, algorithm === 'scrypt' ? /^\$scrypt\$/ : /^\$2a\$10\$/)
      t.type(await logIn('ann'), 'string')
    })
