/** Private attributes of types that an application changes (CVE-2023-34093). */

import t from 'tap'
import { ofUsers, reads, roleUid, startMembers, userUid } from './members.ts'
import { refused } from './refusal.ts'

t.test('CVE-2023-34093: who changes a type does not make its private attributes public', async t => {
  const { of, as } = await startMembers(t, {
    permissions: { member: [...ofUsers, ...reads('person')] },
    configure: kernel => {
      const isPerson = ({ uid }: { readonly uid: string }) => uid === 'api::person.person'
      kernel.hooks.on('preModel', { for: isPerson }, draft => draft.attribute('nickname', { type: 'string' }))
      const relation = { type: 'relation', relation: 'manyToOne', target: roleUid, inversedBy: 'users' }
      const text = { type: 'string', private: false }
      kernel.contentTypes.extend(userUid, {
        attributes: {
          username: { type: 'string', unique: true, required: true },
          email: { type: 'email', required: true },
          provider: text,
          password: { type: 'password', private: false },
          resetPasswordToken: text,
          confirmationToken: text,
          confirmed: { type: 'boolean' },
          blocked: { type: 'boolean' },
          role: relation,
        },
      })
    },
  })
  const api = await as('member')
  await of('person').create({ data: { fullName: 'Ann', secret: 'topsecret', internalNotes: 'zebra', nickname: 'A' } })
  await of(userUid).update(1, { data: { resetPasswordToken: 'abcdefgh', confirmationToken: 'ijklmnop' } })
  for (const url of [
    'people?populate=*',
    'people/1?populate=*',
    'users?populate=*',
    'users/1',
    'users/me?populate=*',
  ]) {
    const { status, text } = await api.get(`/api/${url}`)
    t.equal(status, 200, url)
    t.notMatch(text, /zebra|"secret"|internalNotes|\$2|scrypt|abcdefgh|ijklmnop|Token/, url)
  }
  t.match((await api.get('/api/people')).text, /"nickname":"A"/)
  for (const name of ['secret', 'internalNotes'])
    refused(t, await api.get(`/api/people?filters[${name}][$startsWith]=z`), 400, name)
  for (const name of ['password', 'resetPasswordToken', 'confirmationToken', 'tokensValidFrom']) {
    refused(t, await api.get(`/api/users?filters[${name}][$startsWith]=a`), 400, name)
    refused(t, await api.get(`/api/users?sort=${name}`), 400, name)
  }
})
