// Mistakes of plugins at their registration, row by row: what could not work is refused with the plugin's name, and what
// is registered after the freeze throws.

import t, { type Test } from 'tap'
import { createKernel, definePlugin, RegistrationError, Type } from '../../../src/index.ts'
import { boot, folder, thrown, type, uid } from '../../fixtures/boot.ts'

const memory = { client: 'sqlite', connection: { filename: ':memory:' } }
const contentTypes = [type('tag', { name: { type: 'string' }, slug: { type: 'uid' } })]
const nothing = () => {}

type Loose<Name extends string> = Readonly<Record<Name, (...args: unknown[]) => unknown>>

/** The kernel as a plugin in JavaScript sees it: everything takes anything. */
interface Untyped {
  readonly actions: Loose<'add' | 'set'>
  readonly attributeTypes: Loose<'add' | 'replace'>
  readonly auth: Loose<'use'>
  readonly contentTypes: Loose<
    'add' | 'addComponent' | 'addForeignTables' | 'addPluginOptions' | 'addTypeOptions' | 'extend' | 'require'
  >
  readonly hooks: Loose<'declare' | 'on'>
  readonly lifecycles: Loose<'subscribe'>
  readonly operators: Loose<'add'>
  readonly parameters: Loose<'add'>
  readonly policies: Loose<'add'>
  readonly readiness: Loose<'add'>
  readonly services: Loose<'provide'>
}

type Draft = Loose<'attribute' | 'index' | 'scope'>

/** What a start throws with a plugin that registers this. */
const refusal = (t: Test, register: (kernel: Untyped) => unknown) =>
  thrown(t, async () => {
    const lamp = definePlugin({ name: 'lamp', register: ({ kernel }) => void register(kernel as unknown as Untyped) })
    await (await createKernel({ database: memory, contentTypes, plugins: { lamp: { plugin: lamp } } })).close()
  })

/** Refusals by message, without the name of the plugin, which every message has. */
async function refused(t: Test, cases: Readonly<Record<string, (kernel: Untyped) => unknown>>): Promise<void> {
  for (const [message, register] of Object.entries(cases)) {
    const error = await refusal(t, register)
    t.ok(error instanceof RegistrationError, `${message}: ${error}`)
    t.ok(error.message.startsWith(`plugin lamp: ${message}`), error.message)
  }
}

t.test("hooks.on('preWrit'), actions: ['creat'], { fur }, { action }, for: 'api::article.article', no function", t =>
  refused(t, {
    'hook preWrit: is not known, did you mean "preWrite"?': ({ hooks }) => hooks.on('preWrit', nothing),
    'hook preWrite: every item of actions must be one of create, update, delete, found "creat", did you mean "create"?':
      ({ hooks }) => hooks.on('preWrite', { actions: ['creat'] }, nothing),
    'hook preWrite: fur is not known, did you mean "for"?': ({ hooks }) =>
      hooks.on('preWrite', { fur: nothing }, nothing),
    'hook preWrite: action is not known, did you mean "actions"?': ({ hooks }) =>
      hooks.on('preWrite', { action: ['create'] }, nothing),
    'hook prePlan: for must be a function, found "api::article.article"': ({ hooks }) =>
      hooks.on('prePlan', { for: 'api::article.article' }, nothing),
    'hook prePlan: needs a function, found undefined': ({ hooks }) => hooks.on('prePlan', {}),
  }),
)

t.test('3.1.3: prePlan and preModel that give back a promise', async t => {
  const words = 'must not be asynchronous, because its promise is not awaited'
  await refused(t, {
    [`hook prePlan: ${words}`]: ({ hooks }) => hooks.on('prePlan', async () => {}),
    [`hook preModel: ${words}`]: ({ hooks }) => hooks.on('preModel', async () => {}),
    'hook preModel: returned a promise, but must be synchronous': ({ hooks }) =>
      hooks.on('preModel', () => Promise.resolve()),
  })
  const plugin = definePlugin({
    name: 'lamp',
    register: ({ kernel }) => kernel.hooks.on('prePlan', (() => Promise.resolve()) as never),
  })
  const kernel = await boot(t, { file: ':memory:', contentTypes, plugins: { lamp: { plugin } } })
  const error = await thrown(t, () => kernel.query(uid('tag')).findMany())
  t.match(error.message, /^plugin lamp: hook prePlan: returned a promise, but must be synchronous/)
})

t.test('3.1.4: everything that is added after the freeze throws', async t => {
  const works: Readonly<Record<string, (kernel: Untyped) => unknown>> = {
    'action plugin::lamp.lamp.light': ({ actions }) => actions.add('plugin::lamp.lamp.light'),
    'action api::tag.tag.find': ({ actions }) => actions.set('api::tag.tag.find', {}),
    'attribute type lux': ({ attributeTypes }) => attributeTypes.add('lux', { storage: 'text', family: 'text' }),
    'attribute type string': ({ attributeTypes }) => attributeTypes.replace('string', {}),
    'component a.b': ({ contentTypes }) => contentTypes.addComponent({ attributes: {} }, 'a.b'),
    'contentTypes.add': ({ contentTypes }) => contentTypes.add(type('late', {})),
    'contentTypes.addForeignTables': ({ contentTypes }) => contentTypes.addForeignTables(['x_']),
    'contentTypes.addPluginOptions': ({ contentTypes }) => contentTypes.addPluginOptions('lamp', {}),
    'contentTypes.addTypeOptions': ({ contentTypes }) => contentTypes.addTypeOptions({ x: Type.String() }),
    'contentTypes.extend': ({ contentTypes }) => contentTypes.extend(uid('tag'), {}),
    'hook lamp:lit': ({ hooks }) => hooks.declare('lamp:lit'),
    'hook preWrite': ({ hooks }) => hooks.on('preWrite', nothing),
    'lifecycles.subscribe': ({ lifecycles }) => lifecycles.subscribe(null, { beforeCreate: nothing }),
    'operator $near': ({ operators }) => operators.add({ name: '$near', operand: 'one', sql: String }),
    'parameter bright': ({ parameters }) => parameters.add({ name: 'bright' }),
    'policy open': ({ policies }) => policies.add('open', () => true),
    'readiness check lamp': ({ readiness }) => readiness.add('lamp', () => null),
    'service lamp.light': ({ services }) => services.provide('lamp', 'light', nothing),
    'strategy key': ({ auth }) => auth.use({ name: 'key', authenticate: nothing }),
  }
  const kernel = (await boot(t, { file: ':memory:', contentTypes })) as unknown as Untyped
  for (const [what, work] of Object.entries(works))
    t.match(await thrown(t, async () => work(kernel)), {
      code: 'PLINTH_FROZEN',
      message: `the application: ${what}: the model is frozen; make all registrations in the function \`register\``,
    })
  t.throws(() => kernel.contentTypes.require('api::late.late'), { message: /^Unknown content type "api::late\.late"/ })
})

t.test('3.1.6: definitions that cannot work', async t => {
  const parameter = {
    ...{ name: 'bright', schema: Type.String(), for: () => true, actions: ['find'], depth: 'root' },
    ...{ shape: () => '', plan: nothing },
  }
  const add = (changes: object) => (kernel: Untyped) => kernel.parameters.add({ ...parameter, ...changes })
  const operator =
    (definition: object) =>
    ({ operators }: Untyped) =>
      operators.add({ name: '$stars', operand: 'one', sql: String, ...definition })
  const attributeType =
    (definition: object) =>
    ({ attributeTypes }: Untyped) =>
      attributeTypes.add('rating', { storage: 'integer', family: 'integer', ...definition })
  await refused(t, {
    'parameter bright: plan is missing': add({ plan: undefined }),
    'parameter bright: depth must be one of root, every, found "all"': add({ depth: 'all' }),
    'parameter bright: every item of actions must be one of find,': add({ actions: ['fnd'] }),
    'parameter filters: is a built-in parameter of every query': add({ name: 'filters' }),
    'operator $stars: sql is missing': operator({ sql: undefined }),
    'operator $stars: operand must be one of one, list, pair, flag, found "single"': operator({ operand: 'single' }),
    'attribute type rating: storage must be one of string,': attributeType({ storage: 'int' }),
    'attribute type rating: family must be one of text,': attributeType({ family: 'int' }),
    'hook preModel: api::tag.tag: attribute name: unknown attribute type "strng", did you mean "string"?': kernel =>
      kernel.hooks.on('preModel', (draft: Draft) => draft.attribute('name', { type: 'strng' })),
    'contentTypes.add: interal is not known, did you mean "internal"?': ({ contentTypes }) =>
      contentTypes.add(type('vote', {}), { interal: true }),
  })
  const define = (definition: object) => () => definePlugin({ name: 'lamp', register: nothing, ...definition } as never)
  const message = (fault: string) => ({ message: `plugin lamp: definePlugin: ${fault}` })
  const schemas = 'must be an object of TypeBox schemas, found "x"'
  t.throws(define({ regster: nothing }), message('regster is not known, did you mean "register"?'))
  t.throws(define({ typeOptions: 'x' }), message(`typeOptions ${schemas}`))
  t.throws(define({ pluginOptions: 'x' }), message(`pluginOptions ${schemas}`))
})

t.test('misspelt options of attributes, indexes and scopes of a draft', t => {
  const draw =
    (work: (draft: Draft) => unknown) =>
    ({ hooks }: Untyped) =>
      hooks.on('preModel', work)
  return refused(t, {
    'hook preModel: api::tag.tag: attribute lux: requird is not known, did you mean "required"?': draw(draft =>
      draft.attribute('lux', { type: 'string', requird: true }),
    ),
    'hook preModel: api::tag.tag: attribute name: writeable is not known, did you mean "writable"?': draw(draft =>
      draft.attribute('name', { writeable: false }),
    ),
    'hook preModel: api::tag.tag: index name, slug: uniqe is not known, did you mean "unique"?': draw(draft =>
      draft.index(['name', 'slug'], { uniqe: true }),
    ),
    'hook preModel: api::tag.tag: scope name: isEqual is missing': draw(draft => draft.scope('name', {})),
  })
})

t.test('a plugin that throws in register, in bootstrap or at load', async t => {
  const fail = () => {
    throw new RangeError('too dark')
  }
  t.equal((await refusal(t, fail)).message, 'plugin lamp: register: too dark')
  const late = definePlugin({ name: 'lamp', register: nothing, bootstrap: fail })
  const start = () => createKernel({ database: memory, contentTypes, plugins: { lamp: { plugin: late } } })
  t.equal((await thrown(t, start)).message, 'plugin lamp: bootstrap: too dark')
  const dir = await folder(t, {
    'package.json': { type: 'module' },
    'config/plugins.json': { lamp: { resolve: './lamp.js' } },
    'lamp.js': 'throw new RangeError("too dark")',
  })
  t.equal(
    (await thrown(t, () => createKernel({ dir, database: memory }))).message,
    'plugin lamp: cannot be loaded: too dark',
  )
})

t.test('a plugin that imports a package that is not installed', async t => {
  const messageOf = async (program: string) => {
    const dir = await folder(t, {
      'package.json': { type: 'module' },
      'config/plugins.json': { lamp: { resolve: './lamp.js' } },
      'lamp.js': program,
    })
    const error = await thrown(t, () => createKernel({ dir, database: memory }))
    return [error.name, error.message]
  }
  const plugin = (register: string) =>
    `export default { plinth: { name: 'lamp', register: async ({ kernel }) => { ${register} } } }`
  t.same(await messageOf('import "@no/such/lamp"'), [
    'StartError',
    'plugin lamp: cannot be loaded: needs the package @no/such: npm install @no/such',
  ])
  const required = '(await import("node:module")).createRequire(import.meta.url)("no-such/lamp")'
  for (const program of ['await import("no-such")', required])
    t.same(
      await messageOf(plugin(program)),
      ['StartError', 'plugin lamp: register: needs the package no-such: npm install no-such'],
      program,
    )
  const [, ofFile] = await messageOf('import "./bulb.js"')
  t.match(ofFile, /^plugin lamp: cannot be loaded: Cannot find module '.*bulb\.js'/, 'a file is no package')
})

t.test('src/index: unknown exports, and exports that are no functions', async t => {
  const start = async (content: string) => {
    const dir = await folder(t, { 'package.json': { type: 'module' }, 'src/index.js': content })
    return thrown(t, () => createKernel({ dir, database: memory }))
  }
  t.match(await start('export default { bootsrap() {} }'), {
    code: 'PLINTH_APP_INVALID',
    message: 'src/index: the export bootsrap is not known, did you mean "bootstrap"?',
  })
  t.match(await start('export const bootstrap = "now"'), {
    code: 'PLINTH_APP_INVALID',
    message: 'src/index: bootstrap must be a function, found "now"',
  })
})
