// Hooks: when they run, in which order and for which types, and what they may change, answer and throw.

import t from 'tap'
import { startBooks as start } from '../fixtures/books.ts'
import { boot, repositories, thrown, type, uid } from '../fixtures/boot.ts'

t.test('hooks without a function are null', async t => {
  const { kernel } = await start(t, () => {})
  t.same([...new Set(Object.values(kernel.hooks.compiled))], [null])
  const started = await start(t, ({ hooks }) =>
    hooks.on('preWrite', { for: one => one.uid === uid('book'), actions: ['create'] }, () => {}),
  )
  const { preWrite, onWrite } = started.kernel.hooks.compiled
  t.equal(onWrite, null)
  t.type(preWrite!.for(uid('book'), 'create'), 'function')
  t.equal(preWrite!.for(uid('book'), 'update'), null)
  t.equal(preWrite!.for(uid('writer'), 'create'), null)
  const nobody = await start(t, ({ hooks }) => hooks.on('preWrite', { for: () => false }, () => {}))
  t.equal(nobody.kernel.hooks.compiled.preWrite, null, 'a hook whose filter accepts no type is null')
  t.throws(() => kernel.hooks.on('preWrite', () => {}), { message: /frozen/ })
  t.doesNotThrow(() => kernel.hooks.on('onStatement', () => {}))
})

t.test('the filter `for` is called once per type, at the freeze', async t => {
  const asked: string[] = []
  const calls: string[] = []
  const { of } = await start(t, ({ hooks }) => {
    const isBook = (one: { uid: string }) => {
      asked.push(one.uid)
      return one.uid === uid('book')
    }
    hooks.on(
      'onWrite',
      { for: isBook, actions: ['create', 'delete'] },
      write => void calls.push(`${write.action} ${write.id}`),
    )
  })
  t.same(asked, [uid('writer'), uid('book')])
  await of('book').update(1, { data: {} })
  await of('book').delete(1)
  await of('book').findMany()
  t.same(calls, ['create 1', 'create 2', 'delete 1'])
  t.equal(asked.length, 2)
})

t.test('the order is pre, as registered, post, also if one is asynchronous', async t => {
  const calls: string[] = []
  const note = (word: string) => () => void calls.push(word)
  const { of } = await start(t, ({ hooks }) => {
    hooks.on('preWrite', { order: 'post' }, note('post'))
    hooks.on('preWrite', note('first'))
    hooks.on('preWrite', async () => {
      await new Promise(resolve => setTimeout(resolve, 2))
      calls.push('second')
    })
    hooks.on('preWrite', note('third'))
    hooks.on('preWrite', { order: 'pre' }, note('pre'))
  })
  calls.length = 0
  await of('writer').create({ data: {} })
  t.same(calls, ['pre', 'first', 'second', 'third', 'post'])
})

t.test('preModel changes the model, and onModel receives it frozen', async t => {
  const seen: unknown[] = []
  const { kernel, of } = await start(t, ({ hooks }) => {
    hooks.on('preModel', { for: one => one.uid === uid('book') }, draft => {
      draft.attribute('title', { required: true })
      draft.attribute('code', { type: 'string', default: 'c' })
      draft.attribute('stamp', { type: 'string', readonly: true })
    })
    hooks.on('onModel', async types => void seen.push(...types.map(one => [one.uid, Object.isFrozen(one)])))
  })
  t.same(seen, [
    [uid('writer'), true],
    [uid('book'), true],
  ])
  t.match(await of('book').create({ data: { title: 'x', stamp: 's' } }), { code: 'c', stamp: null })
  t.match(await thrown(t, () => of('book').create({ data: {} })), { message: 'title must be defined.' })
  t.notOk(kernel.contentTypes.require(uid('writer')).attributes.has('code'))
  t.throws(() => kernel.query('api::boook.book'), { message: /did you mean "api::book\.book"/ })
})

t.test('an error of a hook keeps its class and names plugin and hook', async t => {
  class Own extends Error {}
  const fail = (word: string) => () => {
    throw new Own(word)
  }
  let armed = ''
  const when = (word: string) => () => (armed === word ? fail(word)() : undefined)
  const { of, kernel } = await start(t, ({ hooks }) => {
    hooks.plugin = 'someone'
    for (const name of ['preWrite', 'onWrite', 'prePlan', 'preExecute', 'onExecute'] as const)
      hooks.on(name, when(name))
    hooks.on('preWrite', async () => when('late preWrite')())
    hooks.plugin = 'app'
  })
  const works = {
    preWrite: 'write',
    'late preWrite': 'write',
    onWrite: 'write',
    prePlan: 'read',
    preExecute: 'read',
    onExecute: 'read',
  }
  for (const [name, kind] of Object.entries(works)) {
    kernel.engine.plans.clear()
    armed = name
    const error = await thrown(t, () =>
      kind === 'write' ? of('writer').create({ data: {} }) : of('writer').findMany(),
    )
    t.ok(error instanceof Own, name)
    t.match(error, { message: name, plugin: 'someone', hook: name.replace('late ', '') })
    armed = ''
    await t.resolves(of('writer').findMany(), 'a plan that failed is not kept')
  }
})

t.test('preWrite changes data, and throws before anything is written', async t => {
  const statements: string[] = []
  const { kernel, of } = await start(t, ({ hooks }) =>
    hooks.on('preWrite', { actions: ['create', 'update'] }, async write => {
      t.equal(write.tx, null)
      if (write.data.name === 'bad') throw new RangeError('bad')
      if (write.action === 'update') t.match(await write.before(), { id: 1 })
      if ('title' in write.data) write.data.title = `${write.data.title}!`
    }),
  )
  t.match(await of('book').create({ data: { title: 'x' } }), { title: 'x!' })
  const data = { title: 'y' }
  t.match(await of('book').update(1, { data }), { title: 'y!' })
  t.same(data, { title: 'y' }, 'what the caller handed over is untouched')
  kernel.database.listen(text => statements.push(text))
  await thrown(t, () => of('writer').create({ data: { name: 'bad' } }))
  t.same(statements, [])
})

t.test('preExecute answers instead of the database, and onExecute receives rows of the database', async t => {
  const seen: unknown[] = []
  const { of, kernel } = await start(t, ({ hooks }) => {
    hooks.on('preExecute', { for: one => one.uid === uid('writer'), actions: ['find'] }, async ({ compiled }) => {
      const node = compiled.root
      return { rows: { node, rows: [[7, 'Cached', 0, 0]], branches: [], meta: [] }, total: 1 }
    })
    hooks.on('preExecute', () => void seen.push('asked'))
    hooks.on('onExecute', ({ parsed }, result) => void seen.push([parsed.query.action, result.rows.rows.length]))
  })
  seen.length = 0
  t.match(await of('writer').findMany(), [{ id: 7, name: 'Cached' }])
  t.same(seen, [])
  t.match(await of('writer').findOne(1), { name: 'Ann' })
  t.equal((await of('book').findMany()).length, 2)
  t.same(seen, ['asked', ['findOne', 1], 'asked', ['find', 2]])
  t.ok(kernel.hooks.compiled.preExecute!.for(uid('writer'), 'find'))
})

t.test('onStatement can be registered at any time', async t => {
  const kernel = await boot(t, { contentTypes: [type('tag', {})] })
  const calls: string[] = []
  kernel.hooks.on('onStatement', text => void calls.push(text))
  await kernel.query(uid('tag')).findMany()
  t.equal(calls.length, 1)
})

t.test('writes of trusted code answer private values', async t => {
  const kernel = await boot(t, { contentTypes: [type('safe', { pin: { type: 'string', private: true } })] })
  const safes = kernel.query(uid('safe'))
  t.match(await safes.create({ data: { pin: '1' } }), { pin: '1' })
  t.match(await safes.update(1, { data: {} }), { pin: '1' })
  t.match(await safes.findOne(1), { pin: '1' })
  t.match(await safes.delete(1), { pin: '1' })
})

t.test('preWrite sets the completeness that a write requires', async t => {
  const attributes = { title: { type: 'string', required: true, minLength: 3, maxLength: 5 }, lax: { type: 'boolean' } }
  const kernel = await boot(t, {
    contentTypes: [type('page', attributes)],
    configure: ({ hooks }) =>
      hooks.on('preWrite', write => {
        if (write.action === 'create' && write.data.lax === true) write.completeness = 'draft'
        if (write.action === 'update' && write.data.lax === false) write.completeness = 'full'
      }),
  })
  const pages = repositories(kernel)('page')
  const message = async (work: () => unknown) => (await thrown(t, work)).message
  t.equal(await message(() => pages.create({ data: {} })), 'title must be defined.')
  t.equal(await message(() => pages.create({ data: { title: 'ab' } })), 'title must be at least 3 characters')
  t.match(await pages.create({ data: { lax: true } }), { title: null })
  t.match(await pages.create({ data: { lax: true, title: 'ab' } }), { title: 'ab' })
  t.equal(
    await message(() => pages.create({ data: { lax: true, title: 'abcdef' } })),
    'title must be at most 5 characters',
  )
  t.match(await pages.update(1, { data: {} }), { title: null }, 'an update is asked only for what it sends')
  t.equal(await message(() => pages.update(1, { data: { lax: false } })), 'title must be defined.')
  t.equal(await message(() => pages.update(2, { data: { lax: false } })), 'title must be at least 3 characters')
  t.match(await pages.update(1, { data: { lax: false, title: 'abc' } }), { title: 'abc' })
})
