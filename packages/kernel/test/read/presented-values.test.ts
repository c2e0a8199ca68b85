// What is answered in place of stored values (`draft.present`): to callers, at every depth, and not to trusted code.

import t from 'tap'
import { createContext, openAccess } from '../../src/index.ts'
import { boot, component, thrown, type, uid } from '../fixtures/boot.ts'

const contentTypes = [
  type('page', {
    url: { type: 'string' },
    extra: { type: 'json' },
    next: { type: 'relation', relation: 'oneToOne', target: uid('page') },
    part: { type: 'component', component: 'a.part' },
  }),
]
const components = { 'a.part': component('a.part', { url: { type: 'string' } }) }

t.test('values are presented to callers, and stored as they were sent', async t => {
  const kernel = await boot(t, {
    contentTypes,
    components,
    configure: ({ hooks }) =>
      hooks.on('preModel', draft => {
        if (draft.attributes.has('url')) draft.present('url', url => `https://a.example${url}`)
        if (draft.attributes.has('extra')) draft.present('extra', extra => (extra as { no?: true }).no && undefined)
      }),
  })
  const caller = kernel.query(uid('page'), createContext(openAccess))
  const system = kernel.query(uid('page'))
  const data = { url: '/a', extra: { a: 1 }, part: { url: '/b' } }
  const shown = { url: 'https://a.example/a', part: { url: 'https://a.example/b' } }
  const { id } = await caller.create({ data, populate: 'part' })
  await caller.create({ data: { url: '/c', next: id, extra: { no: true } } })
  const populate = { part: true, next: { populate: { part: true } } } as const
  t.match(await caller.findMany({ populate }), [shown, { url: 'https://a.example/c', next: shown, part: null }])
  t.match(await caller.update(id, { data: { url: '/d' } }), { url: 'https://a.example/d' })
  t.match(await caller.update(id, { data: { url: null } }), { url: null }, 'null is not presented')
  t.match(await system.findMany({ populate }), [
    { url: null, part: { url: '/b' } },
    { url: '/c', extra: { no: true } },
  ])
  t.equal(await caller.count({ filters: { url: '/c' } }), 1, 'filters see what is stored')
})

t.test('mistakes stop the start', async t => {
  const start = (present: unknown, name = 'url') =>
    boot(t, {
      contentTypes,
      components,
      configure: ({ hooks }) =>
        hooks.on('preModel', { for: one => one.uid === uid('page') }, draft => draft.present(name, present as never)),
    })
  t.match(await thrown(t, () => start(() => 1, 'urls')), { message: /there is no such attribute, did you mean "url"/ })
  for (const wrong of ['x', async () => 1])
    t.match(await thrown(t, () => start(wrong)), { message: /api::page\.page: present url: present / })
})
