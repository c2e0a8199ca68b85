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

t.test('the answer is planned once, whatever hooks do before the write', async t => {
  const planned: string[] = []
  const { ask } = await start(t, {
    // Whoever asks again plans again.
    maxPlans: 1,
    configure(kernel) {
      kernel.hooks.on('prePlan', ({ type, stage }) => void (stage === 'answer' && planned.push(type.uid)))
      kernel.hooks.on('graphql:write', async () => void (await kernel.query('api::tag.tag').findMany()))
    },
  })
  const answer = '{ data { id attributes { label } } }'
  for (const field of [
    'createTag(data: { label: "a" })',
    'updateTag(id: 1, data: { label: "b" })',
    'deleteTag(id: 1)',
  ]) {
    planned.length = 0
    t.equal((await ask(`mutation { ${field} ${answer} }`)).body.errors, undefined, field)
    t.same(planned, ['api::tag.tag'], field)
  }
})

t.test('a deletion answers what was below the entry (B-9.68)', async t => {
  const link = { type: 'component', component: 'a.link' }
  const to = (relation: string) => ({ type: 'relation', relation, target: 'api::label.label' })
  const info = { singularName: 'label', pluralName: 'labels', displayName: 'Label' }
  const attributes = {
    name: { type: 'string' },
    color: link,
    must: { ...link, required: true },
    links: { ...link, repeatable: true },
    zone: { type: 'dynamiczone', components: ['a.link'] },
    one: to('oneToOne'),
    many: to('oneToMany'),
  }
  const label = { kind: 'collectionType', collectionName: 'labels', info, attributes }
  const components = { 'a.link': { collectionName: 'links', attributes: { url: { type: 'string' } } } }
  const { ask, of } = await start(t, { contentTypes: [label], components })
  const must = { url: 'm' }
  await of('label').create({ data: { name: 'other', must } })
  const zone = [{ __component: 'a.link', url: 'z' }]
  const data = { name: 'x', color: { url: 'c' }, must, links: [{ url: 'l' }], zone, one: 1, many: [1] }
  const named = '{ data { attributes { name } } }'
  const asked = `color { url } must { url } links { url } zone { ... on ComponentALink { url } } one ${named} many ${named}`
  const other = { attributes: { name: 'other' } }
  for (const more of ['', ' __typename']) {
    const { id } = await of('label').create({ data })
    const { body } = await ask(`mutation { deleteLabel(id: ${id}) { data { attributes { name ${asked}${more} } } } }`)
    t.notOk(body.errors)
    t.match(body.data.deleteLabel.data.attributes, {
      name: 'x',
      color: { url: 'c' },
      must,
      links: [{ url: 'l' }],
      zone: [{ url: 'z' }],
      one: { data: other },
      many: { data: [other] },
    })
    t.equal(await of('label').count(), 1, 'it is gone')
  }
})
