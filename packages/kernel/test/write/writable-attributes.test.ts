// What a caller may send of a type and its components, as code can ask before a write (`writableAttributes`). That it is what
// writes do is tested with roles and rules in contract/security/stated-rights.test.ts.

import t from 'tap'
import { createContext, openAccess, systemAccess } from '../../src/index.ts'
import { boot, component, type, uid } from '../fixtures/boot.ts'

const text = { type: 'string' }
const to = (relation: string, target: string, more: object = {}) => ({
  ...{ type: 'relation', relation, target: uid(target) },
  ...more,
})
const contentTypes = [
  type('page', {
    title: text,
    kept: { ...text, writable: false },
    note: { ...text, private: true },
    author: to('manyToOne', 'author', { inversedBy: 'pages' }),
    subject: { type: 'relation', relation: 'morphToOne' },
    part: { type: 'component', component: 'a.part' },
    zone: { type: 'dynamiczone', components: ['a.part', 'a.other'] },
  }),
  type('author', { name: text, pages: to('oneToMany', 'page', { mappedBy: 'author' }) }),
]
const components = {
  'a.part': component('a.part', { label: text, kept: { ...text, writable: false }, by: to('oneToOne', 'author') }),
  'a.other': component('a.other', { words: text, inner: { type: 'component', component: 'a.part', repeatable: true } }),
}

t.test('what may be sent follows from the schema and from the rules of plugins', async t => {
  const kernel = await boot(t, {
    contentTypes,
    components,
    configure: ({ hooks }) =>
      hooks.on('prePlan', draft => {
        const { key } = draft.access
        if (key === 'no authors' && draft.type.uid === uid('author') && draft.via === 'link') draft.drop()
        if (key === 'no zone' && draft.type.uid === uid('page')) draft.forbid('zone', 'part')
        if (key === 'fixed' && draft.type.uid === uid('author') && draft.via === 'link') draft.forbid('pages')
        if (key === 'declared' && draft.type.uid === uid('page')) draft.declareClosed('title', 'author')
      }),
  })
  const ask = (key: string, name = 'page') => {
    const context = createContext(key === 'system' ? systemAccess : { ...openAccess, key })
    const answers = kernel.writer.entries.writableAttributes({ uid: uid(name), action: 'update', context })
    return Object.fromEntries([...answers].map(([one, { writable, refused }]) => [one, [writable, refused]]))
  }
  const page = ['title', 'note', 'author', 'subject', 'part', 'zone']
  const parts = {
    'a.part': [['label', 'by'], []],
    'a.other': [['words', 'inner'], []],
  }
  t.same(ask('all'), { [uid('page')]: [page, []], ...parts })
  t.same(ask('no authors'), {
    [uid('page')]: [page.filter(one => one !== 'author'), []],
    'a.part': [['label'], []],
    'a.other': [['words', 'inner'], []],
  })
  t.same(ask('no zone'), {
    [uid('page')]: [
      ['title', 'note', 'author', 'subject'],
      ['part', 'zone'],
    ],
  })
  t.same(ask('fixed'), { [uid('page')]: [page.filter(one => one !== 'author'), ['author']], ...parts })
  t.same(ask('declared'), { [uid('page')]: [['note', 'subject', 'part', 'zone'], []], ...parts })
  t.same(ask('system')[uid('page')], [['title', 'kept', 'note', 'author', 'subject', 'part', 'zone'], []])
  t.same(ask('all', 'author'), { [uid('author')]: [['name', 'pages'], []] })
})
