// Generated mutations: who reaches what before an entry is written.

import { type Access, type Kernel, systemAccess } from '@plinth/kernel'
import t from 'tap'
import { start } from './fixtures/boot.ts'

/** Callers with the header may create tags, and nobody else may. */
function restrict(kernel: Kernel, written: unknown[]): void {
  kernel.auth.use({
    name: 'test',
    authenticate({ headers }): Access {
      const mayCreate = headers['x-caller'] === 'editor'
      return { ...systemAccess, key: `editor:${mayCreate}`, can: scope => mayCreate || !scope.endsWith('.create') }
    },
  })
  kernel.hooks.on('graphql:write', ({ action, data }) => {
    written.push(action)
    data.label = 'By a hook'
  })
}

t.test('hooks of writes run for callers with the right only', async t => {
  const written: unknown[] = []
  const { ask, of } = await start(t, { configure: kernel => restrict(kernel, written) })
  const mutation = 'mutation { createTag(data: { label: "a" }) { data { attributes { label } } } }'
  const refused = await ask(mutation)
  t.match(refused.body, { data: { createTag: null }, errors: [{ extensions: { code: 'FORBIDDEN' } }] })
  t.same(written, [])
  t.equal(await of('tag').count(), 0)
  const allowed = await ask(mutation, {}, { 'x-caller': 'editor' })
  t.same(allowed.body, { data: { createTag: { data: { attributes: { label: 'By a hook' } } } } })
  t.same(written, ['create'])
})
