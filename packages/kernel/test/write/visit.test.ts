// write.visit: hooks see each value of a write with its attribute, and replace values wherever they stand.

import t, { type Test } from 'tap'
import type { Kernel, Write, WrittenValue } from '../../src/index.ts'
import { boot, component, repositories, thrown, type, uid } from '../fixtures/boot.ts'

const text = { type: 'string' }
const tag = { type: 'relation', relation: 'oneToOne', target: uid('tag') }
const contentTypes = [
  type('tag', { label: text }),
  type('page', {
    title: text,
    payload: { type: 'json' },
    tag,
    seo: { type: 'component', component: 'blocks.seo' },
    parts: { type: 'component', component: 'blocks.part', repeatable: true },
    sections: { type: 'dynamiczone', components: ['blocks.part', 'blocks.seo'] },
  }),
]
const components = {
  'blocks.seo': component('blocks.seo', { title: text }),
  'blocks.part': component('blocks.part', { text, tag, seo: { type: 'component', component: 'blocks.seo' } }),
}

async function start(t: Test, listen: (write: Write) => void | Promise<void>) {
  const configure = ({ hooks }: Kernel) =>
    hooks.on('preWrite', { for: one => one.uid === uid('page'), actions: ['create', 'update'] }, listen)
  const kernel = await boot(t, { contentTypes, components, configure })
  const of = repositories(kernel)
  await of('tag').create({ data: { label: 'a' } })
  return of('page')
}

const data = () => ({
  title: 'x',
  payload: { title: 'y' },
  tag: 1,
  unknown: { title: 'z' },
  seo: { title: 's' },
  parts: [{ text: 'p', tag: { id: 1 }, seo: { title: 'q' } }, { text: null }],
  sections: [
    { __component: 'blocks.seo', title: 'u' },
    { __component: 'blocks.part', text: 'v', seo: null },
  ],
})

t.test('each value is seen with its attribute', async t => {
  const seen: string[] = []
  const values: WrittenValue[] = []
  const pages = await start(t, ({ visit }) =>
    visit(one => {
      values.push(one)
      seen.push(`${one.path.join('.')}: ${one.attribute.kind} of ${one.type.uid}`)
    }),
  )
  const sent = data()
  await pages.create({ data: sent })
  t.same(seen, [
    'title: scalar of api::page.page',
    'payload: scalar of api::page.page',
    'tag: relation of api::page.page',
    'seo: component of api::page.page',
    'seo.title: scalar of blocks.seo',
    'parts: component of api::page.page',
    'parts.0.text: scalar of blocks.part',
    'parts.0.tag: relation of blocks.part',
    'parts.0.seo: component of blocks.part',
    'parts.0.seo.title: scalar of blocks.seo',
    'parts.1.text: scalar of blocks.part',
    'sections: zone of api::page.page',
    'sections.0.title: scalar of blocks.seo',
    'sections.1.text: scalar of blocks.part',
    'sections.1.seo: component of blocks.part',
  ])
  t.equal(values.find(one => one.path.join('.') === 'parts.0.tag')?.value, sent.parts[0]!.tag)
  t.match(await pages.findOne(1, { populate: '*' }), { title: 'x', seo: { title: 's' } }, 'nothing is replaced')
})

t.test('values are replaced in the write alone', async t => {
  const pages = await start(t, ({ visit }) => {
    visit(({ attribute, value, path }) => {
      if (attribute.name === 'parts') return [...(value as object[]), { text: 'added' }]
      if (path.at(-1) === 'title' && typeof value === 'string') return value.toUpperCase()
      if (attribute.name === 'text') return value === 'p' ? null : `${String(value)}!`
    })
  })
  const sent = data()
  const kept = structuredClone(sent)
  await pages.create({ data: sent })
  t.same(sent, kept, 'what the caller passed is as it was')
  const populate = { seo: true, sections: true, tag: true, parts: { populate: '*' } }
  t.match(await pages.findOne(1, { populate } as never), {
    title: 'X',
    payload: { title: 'y' },
    tag: { label: 'a' },
    seo: { title: 'S' },
    parts: [{ text: null, tag: { label: 'a' }, seo: { title: 'Q' } }, { text: 'null!' }, { text: 'added!' }],
    sections: [{ title: 'U' }, { text: 'v!' }],
  })
  await pages.update(1, { data: { seo: { title: 'b' } } })
  t.match(
    await pages.findOne(1, { populate: 'seo' }),
    { title: 'X', seo: { title: 'B' } },
    'of an update, what is sent',
  )
})

t.test('data of a wrong form is left to the parser', async t => {
  const pages = await start(t, ({ visit }) => visit(({ path, value }) => (path.length > 1 ? 'no' : value)))
  const wrong = [
    { seo: 'x' },
    { seo: [1] },
    { parts: [null] },
    { sections: [{ title: 'x' }] },
    { sections: [{ __component: 'blocks.none' }] },
    { sections: [{ __component: 1 }] },
  ]
  for (const data of wrong)
    t.match(await thrown(t, () => pages.create({ data })), { name: 'ValidationError' }, JSON.stringify(data))
  const names = JSON.parse('{"title":"x","seo":{"__proto__":{"title":"y"},"title":"z"}}')
  await pages.create({ data: names })
  t.equal(Object.getPrototypeOf(names.seo), Object.prototype)
  t.match(await pages.findOne(1, { populate: 'seo' }), { seo: { title: 'no' } })
})

t.test('a hook refuses, and must not be asynchronous', async t => {
  const pages = await start(t, ({ visit }) =>
    visit(({ value }) => {
      if (value === 'bad') throw new RangeError('bad')
      if (value === 'slow') return Promise.reject(new RangeError('slow'))
    }),
  )
  t.match(await thrown(t, () => pages.create({ data: { parts: [{ text: 'bad' }] } })), {
    name: 'RangeError',
    hook: 'preWrite',
  })
  t.match(await thrown(t, () => pages.create({ data: { parts: [{ text: 'slow' }] } })), {
    code: 'PLINTH_HOOK_ASYNC',
    message: /write\.visit returned a promise/,
  })
  t.equal(await pages.count(), 0)
})
