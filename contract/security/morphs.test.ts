/** Polymorphic relations and creators show, count and link only what the caller may find (security.md rows 1, 6 and 51). */

import t from 'tap'
import { boot, client } from '../boot.ts'
import { refused } from './refusal.ts'

const type = (name: string, attributes: object, more: object = {}) => ({
  kind: 'collectionType',
  collectionName: `${name}s`,
  info: { singularName: name, pluralName: `${name}s`, displayName: name },
  attributes: { name: { type: 'string' }, ...attributes },
  ...more,
})

const notes = { type: 'relation', relation: 'morphMany', target: 'api::note.note', morphBy: 'many' }
const morph = (relation: string) => ({ type: 'relation', relation })

t.test('polymorphic relations', async t => {
  const open = ['note', 'shown', 'memo'].map(name => `api::${name}.${name}.*`)
  const config = {
    jwtSecret: 'a secret of the tests, long enough',
    permissions: { public: [...open, 'api::memoir.memoir.update'] },
    rules: { public: [{ action: 'api::memoir.memoir.update', fields: ['about'] }] },
  }
  const app = await boot(t, {
    dir: t.testdir(),
    contentTypes: [
      type('note', { about: morph('morphToOne'), many: morph('morphToMany') }),
      type('person', { notes }),
      type('shown', { notes }),
      type('memoir', { about: morph('morphToOne') }),
      type('memo', {}, { options: { populateCreatorFields: true } }),
    ],
    plugins: { rest: true, 'users-permissions': { config } },
  })
  const api = client(app)
  const of = (name: string) => app.kernel.query(`api::${name}.${name}`)
  await of('person').create({ data: { name: 'Ann' } })
  await of('shown').create({ data: { name: 'Seen' } })
  const both = [
    { __type: 'api::person.person', id: 1 },
    { __type: 'api::shown.shown', id: 1 },
  ]
  await of('note').create({ data: { name: 'first', about: both[0], many: both } })
  await of('memoir').create({ data: { name: 'memoir' } })
  await of('memo').create({ data: { name: 'memo' } })

  await t.test('security.md row 6: targets of types that may not be found are left out', async t => {
    for (const form of [
      'populate=*',
      'populate=about,many',
      'populate[about][populate]=*',
      'populate[about][on][api::person.person]=*',
      'populate[many][on][api::person.person][fields]=name',
      'populate[many][count]=true',
    ]) {
      const { status, text } = await api.get(`/api/notes?${form}`)
      t.equal(status, 200, form)
      t.notMatch(text, /Ann|api::person/, form)
    }
    t.match((await api.get('/api/notes?populate=many')).text, /Seen/)
    for (const form of [
      'filters[about][name]=Ann',
      'filters[about][id]=1',
      'filters[many][name]=Ann',
      'sort=about.name',
    ])
      refused(t, await api.get(`/api/notes?${form}`), 400, /about|many/)
    const { text } = await api.get('/api/showns?populate[notes][populate]=*')
    t.match(text, /first/)
    t.notMatch(text, /Ann/)
    refused(t, await api.get('/api/persons'), 403)
  })

  await t.test('security.md row 51: nor are they linked', async t => {
    const { status, text } = await api.post('/api/notes?populate=*', {
      data: { name: 'x', about: both[0], many: both },
    })
    t.equal(status, 200)
    t.notMatch(text, /Ann/)
    const [made] = await of('note').findMany({ filters: { name: 'x' }, populate: '*' })
    t.equal(made!.about, null)
    t.notMatch(JSON.stringify(made!.many), /Ann/)
  })

  await t.test(
    'links that are left out are left out in every form, also where a rule refuses the attribute',
    async t => {
      const [shownLink, hiddenLink] = [both[1], both[0]]
      const forms: readonly ((link: unknown) => unknown)[] = [
        link => link,
        link => [link],
        link => ({ set: [link] }),
        link => ({ connect: [link] }),
        link => ({ connect: [link], disconnect: [] }),
      ]
      for (const form of forms) {
        const left = await api.put('/api/memoirs/1', { data: { name: 'left', about: form(hiddenLink) } })
        t.equal(left.status, 200, JSON.stringify(form(hiddenLink)))
        t.match(await of('memoir').findOne(1, { populate: 'about' }), { name: 'left', about: null })
        refused(t, await api.put('/api/memoirs/1', { data: { about: form(shownLink) } }), 403)
      }
    },
  )

  await t.test('security.md row 1: creators that a type shows are asked about by nothing secret', async t => {
    for (const name of ['email', 'password', 'resetPasswordToken', 'registrationToken', 'roles', 'blocked', 'nope']) {
      refused(t, await api.get(`/api/memos?filters[createdBy][${name}][$startsWith]=a`), 400, name)
      refused(t, await api.get(`/api/memos?sort=createdBy.${name}`), 400, name)
    }
    t.equal((await api.get('/api/memos?populate=createdBy')).status, 200)
  })
})
