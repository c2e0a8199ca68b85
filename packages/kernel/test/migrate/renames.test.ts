// Renames declared in the schema keep every row and link, on all three databases.

import { fresh, onEach } from '@plinth/test-tools/on-each'
import t from 'tap'
import { createKernel } from '../../src/index.ts'
import { type Attributes, boot, component, notes, thrown, type } from '../fixtures/boot.ts'
import { apply, everything, filled, modelOf, namesIn, open, planned, type Words } from '../fixtures/migrate.ts'

const renames: readonly (readonly [what: string, words: Partial<Words>, gone: RegExp])[] = [
  ['a type', { post: 'article' }, /(?<!_)posts|post_/],
  ['an attribute', { title: 'headline' }, /title(?!s)(?<!meta_title)/],
  ['a relation', { tags: 'topics' }, /posts_tags/],
  ['a relation in a column', { next: 'follower' }, /next_id/],
  ['a polymorphic relation', { attached: 'belongs' }, /attached/],
  ['the other end of one', { cover: 'pictures' }, /cover/],
  ['a component', { quote: 'texts.citation' }, /quote/],
  ['an attribute of a component', { seo: 'search' }, /^$/],
  ['a dynamic zone', { blocks: 'content' }, /^$/],
  [
    'all of them',
    {
      post: 'article',
      title: 'headline',
      tags: 'topics',
      next: 'follower',
      attached: 'belongs',
      cover: 'pictures',
      quote: 'texts.citation',
      seo: 'search',
      blocks: 'content',
    },
    /(?<!_)posts|post_|next_id|attached|cover|quote/,
  ],
]

for (const [what, words, gone] of renames) {
  await onEach(`${what} is renamed`, async t => {
    const { database, before } = await filled(t)
    const kernel = await open(t, database, modelOf(words))
    t.same(
      (await planned(kernel)).filter(step => !/^safe (rename|text):/.test(step)),
      [],
      'nothing but renames',
    )
    await apply(kernel)
    t.same(await planned(kernel), [], 'nothing is left to do')
    t.same(
      (await namesIn(kernel)).filter(name => gone.test(name)),
      [],
      'no old name is left',
    )
    t.same(await everything(kernel, words), before, 'every row and link is there')
    await kernel.close()
    const later = await open(t, database, modelOf(words, false), 'check')
    t.same(await everything(later, words), before, 'and without renamedFrom')
  })
}

await onEach('a start does not rename by itself', async t => {
  const { database, before } = await filled(t)
  const model = modelOf({ post: 'article' })
  const { name, message } = await thrown(t, () => createKernel({ database, ...model }))
  t.equal(name, 'PendingMigrationError')
  t.match(message, /rename:posts:articles {2}renames the table posts to articles\n/)
  t.match(message, /`plinth migrate apply`/)
  const kernel = await open(t, database, model, 'apply')
  t.same(await everything(kernel, { post: 'article' }), before)
})

await onEach('a table is found by any name that it may have had', async t => {
  for (const renamedFrom of ['posts', 'api::post.post', ['api::elsewhere.thing', 'posts']]) {
    const { database, before } = await filled(t)
    const { contentTypes, components } = modelOf({ post: 'article' })
    const renamed = contentTypes.map(one =>
      'renamedFrom' in (one as object) ? { ...(one as object), renamedFrom } : one,
    )
    const kernel = await open(t, database, { contentTypes: renamed, components }, 'apply')
    t.same(await everything(kernel, { post: 'article' }), before, String(renamedFrom))
  }
})

await onEach('old and new name at once are reported', async t => {
  const { database } = await filled(t)
  const without = await open(t, database, modelOf({ post: 'article' }, false), 'add')
  await without.close()
  const kernel = await open(t, database, modelOf({ post: 'article' }))
  const steps = await planned(kernel)
  t.ok(steps.includes('blocked rename:posts:articles'), steps.join('\n'))
})

await onEach('an attribute that a start has added under its new name takes the values of the former one', async t => {
  const { config } = await fresh(t)
  const model = (attributes: Attributes) => ({
    contentTypes: [type('author', { name: { type: 'string' }, ...attributes })],
  })
  const start = async (attributes: Attributes, migrate: 'add' | 'apply' = 'add') => {
    const logger = notes()
    const kernel = await createKernel({ database: config, ...model(attributes), migrate, logger })
    t.teardown(() => kernel.close())
    return { kernel, warnings: logger.warnings }
  }
  const first = await start({ bio: { type: 'string', unique: true } })
  await first.kernel.query('api::author.author').create({ data: { name: 'Ann', bio: 'writes' } })
  await first.kernel.close()
  const added = await start({ about: { type: 'string', unique: true } })
  t.match(
    added.warnings.join(),
    /authors\.bio; if the new attribute about of api::author\.author is the former bio, write "renamedFrom": "bio" on it/,
  )
  await added.kernel.close()
  const again = await start({ about: { type: 'string', unique: true } })
  t.match(
    again.warnings.join(),
    /authors\.bio; if one of them is an attribute under another name, write the former name as "renamedFrom"/,
  )
  await again.kernel.close()
  const renamed = { about: { type: 'string', unique: true, renamedFrom: 'bio' } } as const
  await t.rejects(start(renamed), { name: 'PendingMigrationError', message: /rename:authors\.bio:about/ })
  const { kernel } = await start(renamed, 'apply')
  t.match(await kernel.query('api::author.author').findMany(), [{ name: 'Ann', about: 'writes' }])
  await kernel.close()
  const last = await start(renamed)
  t.same(last.warnings, [])
  t.same(await planned(last.kernel), [], 'the index of the attribute is there again')
})

await onEach('values under both names are not lost', async t => {
  const { config } = await fresh(t)
  const model = (attributes: Attributes) => ({ contentTypes: [type('author', attributes)] })
  for (const name of ['bio', 'about']) {
    const kernel = await createKernel({ database: config, ...model({ [name]: { type: 'string' } }) })
    await kernel.query('api::author.author').create({ data: { [name]: name } })
    await kernel.close()
  }
  const kernel = await open(t, config, { ...model({ about: { type: 'string', renamedFrom: 'bio' } }), components: {} })
  t.ok((await planned(kernel)).includes('blocked rename:authors.bio:about'))
})

await onEach('an old name can be used again', async t => {
  const { database, before } = await filled(t)
  const renamed = modelOf({ post: 'article' })
  await (await open(t, database, renamed, 'apply')).close()
  const link = { type: 'relation', relation: 'manyToMany', target: 'api::tag.tag' }
  const again = type('post', { title: { type: 'string', unique: true }, tags: link })
  const { contentTypes, components } = modelOf({ post: 'article' }, false)
  const kernel = await open(t, database, { contentTypes: [...contentTypes, again], components }, 'add')
  await kernel.query('api::post.post').create({ data: { title: 'new', tags: [1] } })
  t.same(await everything(kernel, { post: 'article' }), before)
})

t.test('a faulty renamedFrom is refused', async t => {
  const rows = [
    [
      [type('tag', { a: { type: 'string', renamedFrom: 'b' }, b: { type: 'string' } })],
      /attributes\.a\.renamedFrom: "b"/,
    ],
    [[type('tag', { a: { type: 'string', renamedFrom: 7 } })], /must be a former name/],
    [[type('tag', { a: { type: 'string', renamedForm: 'b' } })], /did you mean "renamedFrom"/],
    [[type('tag', {}, { renamedForm: 'b' })], /did you mean "renamedFrom"/],
    [[type('tag', {}), type('word', {}, { renamedFrom: 'tags' })], /renamedFrom: "tags" still names api::tag\.tag/],
  ] as const
  for (const [contentTypes, words] of rows) {
    const { name, message } = await thrown(t, () => boot(t, { contentTypes: contentTypes as never }))
    t.equal(name, 'InvalidSchemaError', message)
    t.match(message, words)
  }
  const components = { 'a.b': component('a.b', {}), 'a.c': { ...component('a.c', {}), renamedFrom: 'a.b' } }
  t.match((await thrown(t, () => boot(t, { components }))).message, /"a\.b" still names a\.b/)
})
