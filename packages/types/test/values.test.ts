// What entries have is what their types say: each value of an entry has the JavaScript type that is written for it.

import { createContext, openAccess } from '@plinth/kernel'
import t from 'tap'
import { describeModel } from '../src/index.ts'
import { startKernel } from './fixtures/compiled.ts'

const written = {
  title: 'a title',
  text: 'text',
  body: 'rich text',
  slug: 'a-title',
  mail: 'a@example.com',
  kind: 'report',
  views: 4,
  big: '9007199254740993',
  rating: 1.5,
  price: 2.25,
  featured: true,
  day: '2026-02-28',
  hour: '10:20:30',
  moment: new Date('2026-02-28T10:20:30.000Z'),
  stamp: '2026-02-28T10:20:30.000Z',
  extra: { any: ['json'] },
  blocks: [{ type: 'paragraph', children: [{ type: 'text', text: 'a' }] }],
  colour: '#ffffff',
  note: 'private',
  seo: { label: 'x' },
  links: [{ url: '/' }],
  zone: [{ __component: 'shared.quote', text: 'x' }],
} as const

/** The JavaScript type of values with these TypeScript types. */
function kindOf(type: string): string {
  if (type === 'Plinth.Json' || type.endsWith('[]')) return 'object'
  return ['number', 'boolean'].includes(type) ? type : 'string'
}

t.test('values of entries', async t => {
  const kernel = await startKernel(t)
  const uid = 'api::article.article' as string
  const model = describeModel(kernel).types.find(type => type.uid === uid)!
  const { id } = await kernel.query(uid).create({ data: written })
  const read = async (of: typeof kernel, caller?: ReturnType<typeof createContext>) =>
    (await of.query(uid, caller).findOne(id, { populate: '*' }))!
  const all = await read(kernel)
  const seen = await read(kernel, createContext(openAccess))
  for (const attribute of model.attributes) {
    const { name } = attribute
    if (attribute.kind !== 'value') {
      const isAnswered = attribute.kind !== 'empty' || attribute.isPopulatable
      t.equal(name in all, isAnswered, `${name} is populated`)
      const isMany = attribute.kind === 'zone' || attribute.isMany
      if (isAnswered) t.equal(Array.isArray(all[name]), isMany, `${name} is ${isMany ? 'a list' : 'one'}`)
      continue
    }
    t.equal(name in seen, !attribute.isPrivate, `${name} is answered to callers`)
    t.ok(name in all, `${name} is answered to code`)
    if (name !== 'locale') t.equal(typeof all[name], kindOf(attribute.answered), `${name}: ${attribute.answered}`)
  }
  const authors = kernel.query('api::author.author' as string)
  const author = await authors.create({ data: { name: 'a', password: 'secret' } })
  t.equal(typeof author.password, 'string', 'code is answered the hash of a password')
  const filters = { password: author.password }
  t.equal(await authors.count({ filters }), 1, 'and may filter by it')
  const zone = all.zone as readonly object[]
  t.match(zone, [{ __component: 'shared.quote', text: 'x' }])
})
