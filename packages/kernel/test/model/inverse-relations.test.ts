// Relations whose two sides do not match stop the start with a message that names both places (B-10.22 to B-10.24).

import t from 'tap'
import { boot, component, folder, thrown, type, uid } from '../fixtures/boot.ts'

const to = (relation: string, name: string, more = {}) => ({ type: 'relation', relation, target: uid(name), ...more })
const has = (side: 'inversedBy' | 'mappedBy') => (relation: string, other: string) => ({ relation, [side]: other })
const [inversed, mapped] = [has('inversedBy'), has('mappedBy')]

const pageFile = 'src/api/page/content-types/page/schema.json'
const tagFile = 'src/api/tag/content-types/tag/schema.json'

t.test('sides that do not match are refused', async t => {
  const rows = [
    [
      mapped('oneToOne', 'pages'),
      mapped('oneToOne', 'tags'),
      `tags.mappedBy: ${tagFile}: attributes.pages also has mappedBy; the side that owns the links must have inversedBy`,
    ],
    [
      mapped('manyToMany', 'pages'),
      mapped('manyToMany', 'tags'),
      `tags.mappedBy: ${tagFile}: attributes.pages also has mappedBy; the side that owns the links must have inversedBy`,
    ],
    [
      inversed('manyToOne', 'pages'),
      inversed('oneToMany', 'tags'),
      `tags.inversedBy: ${tagFile}: attributes.pages also has inversedBy; the side that does not own the links must have mappedBy`,
    ],
    [
      inversed('oneToOne', 'pages'),
      mapped('oneToMany', 'tags'),
      `tags.relation: the other side of a oneToOne must be a oneToOne, but ${tagFile}: attributes.pages.relation is "oneToMany"`,
    ],
    [
      inversed('manyToMany', 'pages'),
      mapped('oneToOne', 'tags'),
      `tags.relation: the other side of a manyToMany must be a manyToMany, but ${tagFile}: attributes.pages.relation is "oneToOne"`,
    ],
    [
      inversed('manyToOne', 'pages'),
      mapped('manyToOne', 'tags'),
      `tags.relation: the other side of a manyToOne must be a oneToMany, but ${tagFile}: attributes.pages.relation is "manyToOne"`,
    ],
    [
      mapped('manyToOne', 'pages'),
      inversed('oneToMany', 'tags'),
      `tags.mappedBy: the manyToOne owns the links, so it must have inversedBy, and the oneToMany mappedBy (${tagFile}: attributes.pages)`,
    ],
    [
      { relation: 'oneToOne', inversedBy: null },
      {},
      'tags.inversedBy: must name the relation of the other side, found null',
    ],
  ] as const
  for (const [tags, pages, words] of rows) {
    const dir = await folder(t, {
      [pageFile]: { ...type('page', { tags: { ...to('', 'tag'), ...tags } }), uid: undefined },
      [tagFile]: { ...type('tag', { pages: { ...to('oneToOne', 'page'), ...pages } }), uid: undefined },
    })
    const error = await thrown(t, () => boot(t, { dir, file: ':memory:' }))
    t.equal(`${error.name} ${error.message}`, `InvalidSchemaError ${pageFile}: attributes.${words}`)
  }
})

t.test('a relation cannot be its own inverse', async t => {
  const next = to('oneToOne', 'page', { mappedBy: 'next' })
  const { message } = await thrown(t, () => boot(t, { file: ':memory:', contentTypes: [type('page', { next })] }))
  t.equal(
    message,
    'api::page.page: attributes.next.mappedBy: a relation cannot be the other side of itself; the side that owns the links must have inversedBy',
  )
})

t.test('a component cannot be the target of a relation', async t => {
  const dir = await folder(t, {
    [pageFile]: {
      ...type('page', { part: { type: 'relation', relation: 'oneToOne', target: 'shared.part' } }),
      uid: undefined,
    },
    'src/components/shared/part.json': component('shared.part', {}),
  })
  const { message } = await thrown(t, () => boot(t, { dir, file: ':memory:' }))
  t.equal(
    message,
    `${pageFile}: attributes.part.target: "shared.part" is a component (src/components/shared/part.json); the target of a relation must be a content type`,
  )
})

t.test('sides that match, and relations of one side, are accepted', async t => {
  await boot(t, {
    file: ':memory:',
    contentTypes: [
      type('page', {
        one: to('oneToOne', 'tag', { inversedBy: 'one' }),
        many: to('manyToOne', 'tag', { inversedBy: 'many' }),
        all: to('manyToMany', 'tag', { inversedBy: 'all' }),
        alone: to('manyToOne', 'tag'),
        parent: to('manyToOne', 'page', { inversedBy: 'children' }),
        children: to('oneToMany', 'page', { mappedBy: 'parent' }),
      }),
      type('tag', {
        one: to('oneToOne', 'page', { mappedBy: 'one' }),
        many: to('oneToMany', 'page', { mappedBy: 'many' }),
        all: to('manyToMany', 'page', { mappedBy: 'all' }),
        lone: to('oneToMany', 'page', { mappedBy: 'alone' }),
      }),
    ],
  })
})

t.test('inversedBy and mappedBy must name a relation that points back', async t => {
  const to = (target: string, more = {}) => ({ type: 'relation', relation: 'manyToOne', target: uid(target), ...more })
  const contentTypes = [
    type('company', {}),
    type('person', { employer: to('company') }),
    type('article', { author: to('person', { inversedBy: 'employer' }) }),
  ]
  const { name, message } = await thrown(t, () => boot(t, { file: ':memory:', contentTypes }))
  t.equal(name, 'InvalidSchemaError')
  t.match(message, /^api::article\.article: attributes\.author\.inversedBy: .*employer/)
})
