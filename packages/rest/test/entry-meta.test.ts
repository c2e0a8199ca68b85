// The own `meta` of entries (service.md 2.3): always, only where a plugin has put something into it, or never, as in v4.

import { definePlugin, type Kernel } from '@plinth/kernel'
import t, { type Test } from 'tap'
import { start, type } from './fixtures/boot.ts'

const to = (relation: string, name: string) => ({ type: 'relation', relation, target: `api::${name}.${name}` })

const contentTypes = [
  type('tag', { label: { type: 'string' } }),
  type('note', { title: { type: 'string' }, tags: to('manyToMany', 'tag'), notes: to('manyToMany', 'note') }),
  { ...type('home', { title: { type: 'string' }, tags: to('manyToMany', 'tag') }), kind: 'singleType' },
]

/** Gives each note the labels of its tags, as i18n gives translated entries their locales. */
const labels = definePlugin({
  name: 'labels',
  register({ kernel }) {
    kernel.hooks.on('prePlan', { for: ({ uid }) => uid === 'api::note.note' }, node => {
      if (node.via === 'root' && node.query.meta) node.meta('labels', { relation: 'tags', attribute: 'label' })
    })
  },
})

/** All that answers entries, by what it is. Lifecycles receive entries as objects, which are presented in another way. */
async function answers(t: Test, entryMeta: string | undefined, hasLifecycles: boolean) {
  const statements: string[] = []
  const listen = ({ lifecycles, hooks }: Kernel) => {
    hooks.on('onStatement', text => void statements.push(text))
    if (!hasLifecycles) return
    const uids = ['tag', 'note', 'home'].map(name => `api::${name}.${name}`)
    lifecycles.subscribe(uids, { afterFindOne: () => {}, afterFindMany: () => {}, afterUpdate: () => {} })
  }
  const { app, of } = await start(t, {
    config: entryMeta === undefined ? {} : { entryMeta },
    contentTypes,
    plugins: { labels: { plugin: labels, config: {} } } as never,
    configure: listen,
  })
  const tag = await of('tag').create({ data: { label: 'a' } })
  const first = await of('note').create({ data: { title: 'n', tags: [tag.id] } })
  const note = await of('note').create({ data: { title: 'm', tags: [tag.id], notes: [first.id] } })
  await of('home').create({ data: { title: 'h', tags: [tag.id] } })
  const ask = async (method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, data?: object) =>
    (await app.inject({ method, url, ...(data && { payload: { data } }) })).json().data
  statements.length = 0
  const entries = {
    tags: (await ask('GET', '/api/tags'))[0],
    notes: (await ask('GET', '/api/notes?sort=id&populate[notes][populate]=tags&populate[tags]=*'))[1],
    tag: await ask('GET', '/api/tags/1'),
    note: await ask('GET', `/api/notes/${note.id}?populate=*`),
    home: await ask('GET', '/api/home?populate=*'),
    created: await ask('POST', '/api/notes', { title: 'x', tags: [tag.id] }),
    updated: await ask('PUT', `/api/notes/${note.id}`, { title: 'y' }),
    createdTag: await ask('POST', '/api/tags', { label: 'b' }),
    put: await ask('PUT', '/api/home', { title: 'z' }),
    deleted: await ask('DELETE', `/api/notes/${note.id}`),
  }
  return { entries, statements }
}

const withMembers = ['notes', 'note', 'created', 'updated', 'deleted']

for (const hasLifecycles of [false, true])
  t.test(hasLifecycles ? 'entries that lifecycles receive' : 'entries that are written from rows', async t => {
    for (const entryMeta of [undefined, 'always', 'localized', 'never']) {
      const { entries, statements } = await answers(t, entryMeta, hasLifecycles)
      for (const [name, entry] of Object.entries(entries)) {
        const isShown = entryMeta === 'localized' ? withMembers.includes(name) : entryMeta !== 'never'
        t.same(
          Object.keys(entry),
          isShown ? ['id', 'attributes', 'meta'] : ['id', 'attributes'],
          `${entryMeta}: ${name}`,
        )
        if (isShown) t.same(entry.meta, withMembers.includes(name) ? { labels: ['a'] } : {}, `${entryMeta}: ${name}`)
        t.notMatch(JSON.stringify(entry.attributes), '"meta"', `${entryMeta}: ${name}: nested entries have none`)
      }
      t.match(entries.notes.attributes, { notes: { data: [{ id: 1, attributes: { tags: { data: [{ id: 1 }] } } }] } })
      const ofMeta = statements.filter(text => /^SELECT \w+\."note_id", \w+\."label"/.test(text))
      t.equal(ofMeta.length > 0, entryMeta !== 'never', `${entryMeta}: read where it is shown`)
    }
  })

t.test('the meta of an answer stays', async t => {
  const { app } = await start(t, { config: { entryMeta: 'never' } })
  t.match((await app.inject('/api/tags')).json(), { data: [], meta: { pagination: { total: 0 } } })
})

t.test('another word is refused at the start', async t => {
  await t.rejects(start(t, { config: { entryMeta: 'sometimes' } }), {
    message: /rest\.config\.entryMeta: must be one of "always", "localized", "never"/,
  })
})
