// Attributes with `writable: false`: only trusted code and hooks set them.

import t from 'tap'
import { createContext, openAccess } from '../../src/index.ts'
import { boot, component, repositories, type, uid } from '../fixtures/boot.ts'

t.test('non-writable attributes are removed from the data of callers', async t => {
  const closed = { type: 'string', writable: false }
  const kernel = await boot(t, {
    components: { 'a.part': component('a.part', { label: { type: 'string' }, closed }) },
    contentTypes: [
      type('thing', {
        name: { type: 'string' },
        closed: { ...closed, default: 'by default' },
        hooked: closed,
        part: { type: 'component', component: 'a.part' },
        parts: { type: 'component', component: 'a.part', repeatable: true },
        zone: { type: 'dynamiczone', components: ['a.part'] },
      }),
    ],
    configure: kernel => kernel.hooks.on('preWrite', write => void Object.assign(write.data, { hooked: 'by a hook' })),
  })
  const part = { label: 'l', closed: 'sent' }
  const data = { name: 'n', closed: 'sent', part, parts: [part], zone: [{ __component: 'a.part', ...part }] }
  const populate = ['part', 'parts', 'zone']
  const kept = { label: 'l', closed: null }
  const callers = kernel.query(uid('thing'), createContext(openAccess))
  const made = await callers.create({ data, populate })
  t.match(made, { name: 'n', closed: 'by default', hooked: 'by a hook', part: kept, parts: [kept], zone: [kept] })
  t.match(await callers.update(made.id, { data: { name: 'm', closed: 'sent' } }), { name: 'm', closed: 'by default' })

  const trusted = repositories(kernel)('thing')
  t.match(await trusted.create({ data }), { closed: 'sent' }, 'trusted code sets them')
})
