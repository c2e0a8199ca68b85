/** Law: a hook without a listener is null, not an empty loop; a hook with one exists only for the listener's types. */

import { createKernel, type Kernel } from '@plinth/kernel'
import t, { type Test } from 'tap'
import { fresh } from '../boot.ts'
import { components, contentTypes } from '../property/model.ts'

const hooks = [
  'onModel',
  'onMount',
  'prePlan',
  'preExecute',
  'onExecute',
  'preWrite',
  'onLock',
  'onWrite',
  'onCommit',
  'preReply',
  'onPage',
  'onStatement',
  'onRemark',
] as const

async function start(t: Test, listen?: (kernel: Kernel) => void): Promise<Kernel> {
  const { config } = await fresh(t)
  const kernel = await createKernel({ database: config, contentTypes, components, configure: listen })
  t.teardown(() => kernel.close())
  return kernel
}

t.test('hooks without a listener are null', async t => {
  const { compiled } = (await start(t)).hooks
  t.same(Object.keys(compiled).sort(), [...hooks].sort(), 'all there are')
  for (const name of hooks) t.equal(compiled[name], null, name)
})

t.test('a listener of one hook leaves the others null', async t => {
  const { compiled } = (await start(t, kernel => kernel.hooks.on('preWrite', () => {}))).hooks
  t.same(
    hooks.filter(name => compiled[name] !== null),
    ['preWrite'],
  )
})

t.test('a hook does not exist for types and actions it is not for', async t => {
  const isTag = ({ uid }: { uid: string }) => uid === 'api::tag.tag'
  const kernel = await start(t, kernel => kernel.hooks.on('preWrite', { for: isTag, actions: ['create'] }, () => {}))
  const { preWrite } = kernel.hooks.compiled
  t.type(preWrite?.for('api::tag.tag', 'create'), 'function')
  t.equal(preWrite?.for('api::tag.tag', 'update'), null)
  t.equal(preWrite?.for('api::book.book', 'create'), null)
})

t.test('a hook whose filter accepts no type is null', async t => {
  const kernel = await start(t, kernel => kernel.hooks.on('preExecute', { for: () => false }, () => undefined))
  t.equal(kernel.hooks.compiled.preExecute, null)
})

t.test('listeners of statements can be added after the start', async t => {
  const kernel = await start(t)
  const statements: string[] = []
  kernel.hooks.on('onStatement', text => void statements.push(text))
  await kernel.query('api::tag.tag').findMany()
  t.equal(statements.length, 1)
  t.throws(() => kernel.hooks.on('preWrite', () => {}), /frozen/, 'no other hook can')
})
