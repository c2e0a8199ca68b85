// Registrations of plugins are checked at once: a faulty or late one is refused with the name of the plugin and the
// nearest word, because a rule that is silently missing protects nothing.

import t, { type Test } from 'tap'
import type { KernelInstance } from '../../src/boot/kernel-instance.ts'
import { createKernel, definePlugin, type Kernel, Type } from '../../src/index.ts'
import { boot, notes, thrown, type, uid } from '../fixtures/boot.ts'

const contentTypes = [type('tag', { name: { type: 'string' } })]
const memory = { client: 'sqlite', connection: { filename: ':memory:' } }

/** What a start says whose plugin `lamp` registers like this; types are past. */
async function refusal(t: Test, register: (kernel: Untyped) => unknown): Promise<Error & Record<string, unknown>> {
  const lamp = definePlugin({ name: 'lamp', register: ({ kernel }) => void register(kernel as never) })
  return thrown(t, async () =>
    (await createKernel({ database: memory, contentTypes, plugins: { lamp: { plugin: lamp } } })).close(),
  )
}

type Add = { add(...args: unknown[]): unknown }

/** The kernel as those see it who write without types. */
interface Untyped {
  readonly hooks: { on(...args: unknown[]): void; declare(name: unknown): void }
  readonly operators: Add
  readonly parameters: Add
  readonly attributeTypes: Add
  readonly contentTypes: Add & { addComponent(...args: unknown[]): unknown }
  readonly lifecycles: { subscribe(...args: unknown[]): void }
  readonly auth: { use(...args: unknown[]): void }
}

/** Each registration is refused in these words. */
async function refused(t: Test, code: string, cases: Record<string, (kernel: Untyped) => unknown>): Promise<void> {
  for (const [message, register] of Object.entries(cases)) {
    const error = await refusal(t, register)
    t.match(error, { name: 'RegistrationError', code, message: `plugin lamp: ${message}` }, message)
  }
}

const nothing = () => {}

t.test('faulty registrations of hooks are refused', t =>
  refused(t, 'PLINTH_HOOK_INVALID', {
    'hook preWrit: is not known, did you mean "preWrite"?': ({ hooks }) => hooks.on('preWrit', nothing),
    'hook wholly: is not known; the known names are preModel, onModel,': ({ hooks }) => hooks.on('wholly', nothing),
    'hook preWrite: fur is not known, did you mean "for"?': ({ hooks }) => hooks.on('preWrite', { fur: 1 }, nothing),
    'hook preWrite: action is not known, did you mean "actions"?': ({ hooks }) =>
      hooks.on('preWrite', { action: ['create'] }, nothing),
    'hook preWrite: for must be a function, found "api::tag.tag"': ({ hooks }) =>
      hooks.on('preWrite', { for: 'api::tag.tag' }, nothing),
    'hook preWrite: for must not be asynchronous': ({ hooks }) =>
      hooks.on('preWrite', { for: async () => false }, nothing),
    'hook prePlan: for must not be asynchronous': ({ hooks }) =>
      hooks.on('prePlan', { for: () => Promise.resolve(false) }, nothing),
    'hook preWrite: every item of actions must be one of create, update, delete, found "creat", did you mean "create"?':
      ({ hooks }) => hooks.on('preWrite', { actions: ['creat'] }, nothing),
    'hook preWrite: every item of actions must be one of create, update, delete, found "find"': ({ hooks }) =>
      hooks.on('preWrite', { actions: ['find'] }, nothing),
    'hook prePlan: actions must be a list with at least one of find, findOne,': ({ hooks }) =>
      hooks.on('prePlan', { actions: [] }, nothing),
    'hook onModel: for has no effect on this hook': ({ hooks }) => hooks.on('onModel', { for: nothing }, nothing),
    'hook onCommit: every item of actions must be one of create, update, delete, found "find"': ({ hooks }) =>
      hooks.on('onCommit', { actions: ['find'] }, nothing),
    'hook preModel: actions has no effect on this hook': ({ hooks }) =>
      hooks.on('preModel', { actions: ['find'] }, nothing),
    'hook onCommit: order must be one of pre, post, found "first"': ({ hooks }) =>
      hooks.on('onCommit', { order: 'first' }, nothing),
    'hook onCommit: needs a function, found undefined': ({ hooks }) => hooks.on('onCommit', { order: 'pre' }),
    'hook onCommit: options must be an object, found 5': ({ hooks }) => hooks.on('onCommit', 5, nothing),
    'hook lamp:lti: is not known, did you mean "lamp:lit"?': ({ hooks }) => {
      hooks.on('lamp:lti', nothing)
      hooks.declare('lamp:lit')
    },
    'hook lit: the name of a hook of a plugin must have the form <plugin>:<event>': ({ hooks }) => hooks.declare('lit'),
    'hook lamp:lit: is already declared': ({ hooks }) => {
      hooks.declare('lamp:lit')
      hooks.declare('lamp:lit')
    },
  }),
)

t.test('hooks that are not awaited must not be asynchronous', async t => {
  const words = 'must not be asynchronous, because its promise is not awaited'
  await refused(t, 'PLINTH_HOOK_ASYNC', {
    [`hook prePlan: ${words}`]: ({ hooks }) => hooks.on('prePlan', async () => {}),
    [`hook preModel: ${words}`]: ({ hooks }) => hooks.on('preModel', { order: 'pre' }, async () => {}),
    [`hook onStatement: ${words}`]: ({ hooks }) => hooks.on('onStatement', async () => {}),
    'hook preModel: returned a promise': ({ hooks }) => hooks.on('preModel', () => Promise.resolve()),
  })
  const kernel = await boot(t, {
    contentTypes,
    configure: ({ hooks }) => hooks.on('prePlan', () => Promise.reject(new Error('late')) as never),
  })
  t.match(await thrown(t, () => kernel.query(uid('tag')).findMany()), {
    code: 'PLINTH_HOOK_ASYNC',
    message:
      'the application: hook prePlan: returned a promise, but must be synchronous, because its promise is not awaited',
    plugin: 'app',
    hook: 'prePlan',
  })
})

t.test('hooks of plugins must be declared before they are called', async t => {
  const calls: unknown[] = []
  let call = (_name: string, _word: string) => Promise.resolve()
  const lamp = definePlugin({
    name: 'lamp',
    register({ kernel }) {
      const hooks = kernel.hooks as unknown as Untyped['hooks'] & { call: typeof call }
      hooks.declare('lamp:lit')
      call = (...args) => hooks.call(...args)
    },
  })
  await boot(t, {
    contentTypes,
    plugins: { lamp: { plugin: lamp } },
    configure: kernel => (kernel as unknown as Untyped).hooks.on('lamp:lit', (word: string) => void calls.push(word)),
  })
  await call('lamp:lit', 'bright')
  t.same(calls, ['bright'])
  t.match(await thrown(t, () => call('lamp:lid', 'x')), { code: 'PLINTH_HOOK_INVALID', message: /was not declared/ })
})

t.test('faulty definitions are refused', t => {
  const parameter = {
    name: 'bright',
    schema: Type.String(),
    for: () => true,
    actions: ['find'],
    depth: 'root',
    shape: () => '',
    plan: nothing,
  }
  const add =
    (changes: object) =>
    ({ parameters }: Untyped) =>
      parameters.add({ ...parameter, ...changes })
  const operator = { name: '$near', operand: 'one', sql: (column: string) => `${column} = ?` }
  const addOperator =
    (changes: object) =>
    ({ operators }: Untyped) =>
      operators.add({ ...operator, ...changes })
  const scalar = { storage: 'integer', family: 'integer' }
  const addType =
    (changes: object) =>
    ({ attributeTypes }: Untyped) =>
      attributeTypes.add('lux', { ...scalar, ...changes })
  return refused(t, 'PLINTH_DEFINITION_INVALID', {
    'parameter filters: is a built-in parameter of every query': add({ name: 'filters' }),
    'parameter bright: plan is missing': add({ plan: undefined }),
    'parameter bright: plan must not be asynchronous': add({ plan: async () => {} }),
    'parameter bright: depth must be one of root, every, found "all"': add({ depth: 'all' }),
    'parameter bright: every item of actions must be one of find, findOne, count, create, update, delete, found "fnd", did you mean "find"?':
      add({ actions: ['fnd'] }),
    'parameter bright: refus is not known, did you mean "refuse"?': add({ refus: nothing }),
    'parameter a b: name must consist of letters': add({ name: 'a b' }),
    'parameter bright: schema must be a TypeBox schema': add({ schema: 'text' }),
    'parameter undefined: must be an object, found null': ({ parameters }) => parameters.add(null),
    'parameter bright: offer: nestd is not known, did you mean "nested"?': add({ offer: { nestd: true } }),
    'parameter bright: offer: must be an object, found true': add({ offer: true }),
    'parameter bright: offer: many must be true or false, found "yes"': add({ offer: { many: 'yes' } }),
    'parameter bright: offer: nested has no effect on a parameter with rootOnly': add({
      rootOnly: true,
      offer: { nested: true },
    }),
    'parameter bright: offer: typeName must consist of letters, digits and "_", found "a b"': add({
      offer: { typeName: 'a b' },
    }),
    'parameter bright: offer: description must be a text, found 7': add({ offer: { description: 7 } }),
    'parameter bright: offer: default must fit the schema, found 7': add({ offer: { default: 7 } }),
    'parameter bright: offer: refuseLiteral must not be asynchronous': add({
      offer: { refuseLiteral: async () => null },
    }),
    'parameter bright: already exists': kernel => {
      add({})(kernel)
      add({})(kernel)
    },
    'operator $near: sql is missing': addOperator({ sql: undefined }),
    'operator $near: operand must be one of one, list, pair, flag, found "single"': addOperator({ operand: 'single' }),
    'operator $near: encod is not known, did you mean "encode"?': addOperator({ encod: nothing }),
    'operator near: the name of an operator must be "$" followed by letters, found "near"': addOperator({
      name: 'near',
    }),
    'operator $eq: already exists': addOperator({ name: '$eq' }),
    'attribute type lux: storage must be one of string, text, integer,': addType({ storage: 'int' }),
    'attribute type lux: family must be one of ': addType({ family: 'texts' }),
    'attribute type lux: chek is not known, did you mean "check"?': addType({ chek: nothing }),
    'attribute type lux: check must not be asynchronous': addType({ check: async () => null }),
    'attribute type lux: family is missing': addType({ family: undefined }),
    'attribute type lux: as must be a function, found 5': ({ attributeTypes }) => attributeTypes.add('lux', { as: 5 }),
    'strategy key: authenticate must be a function': ({ auth }) => auth.use({ name: 'key' }),
    'strategy key: ordre is not known, did you mean "order"?': ({ auth }) =>
      auth.use({ name: 'key', authenticate: nothing }, { ordre: 'post' }),
    'lifecycles.subscribe: needs a list of uids': ({ lifecycles }) => lifecycles.subscribe('api::tag.tag', {}),
    'hook preModel: api::tag.tag: attribute name: unknown attribute type "strng", did you mean "string"?': ({
      hooks,
    }) =>
      hooks.on('preModel', (draft: Untyped & { attribute(...args: unknown[]): void }) =>
        draft.attribute('name', { type: 'strng' }),
      ),
    'hook preModel: api::tag.tag: attribute nmae: needs a type, because it is new, did you mean "name"?': ({ hooks }) =>
      hooks.on('preModel', (draft: { attribute(...args: unknown[]): void }) =>
        draft.attribute('nmae', { required: true }),
      ),
  })
})

t.test('definePlugin refuses unknown and missing keys', t => {
  const define = definePlugin as unknown as (definition: unknown) => unknown
  const cases = {
    'definePlugin: regster is not known, did you mean "register"?': { name: 'lamp', regster: nothing },
    'definePlugin: register is missing': { name: 'lamp' },
    'definePlugin: typeOptions must be an object of TypeBox schemas, found "x"': {
      name: 'lamp',
      typeOptions: 'x',
      register: nothing,
    },
    'definePlugin: after must be a list of names, found "rest"': { name: 'lamp', after: 'rest', register: nothing },
    'definePlugin: config must be a TypeBox schema, found "x"': { name: 'lamp', config: 'x', register: nothing },
    'definePlugin: bootstrap must be a function, found 5': { name: 'lamp', bootstrap: 5, register: nothing },
    'definePlugin: commands.lamps.commands.count: withoutDatabase must be one of refuse, create, run, found "crate", did you mean "create"?':
      {
        name: 'lamp',
        commands: {
          lamps: {
            description: 'lamps',
            commands: { count: { description: 'count lamps', withoutDatabase: 'crate', run: nothing } },
          },
        },
        register: nothing,
      },
  }
  for (const [message, definition] of Object.entries(cases))
    t.throws(() => define(definition), { code: 'PLINTH_DEFINITION_INVALID', message: `plugin lamp: ${message}` })
  t.end()
})

t.test('createKernel refuses unknown options and invalid plugins', async t => {
  t.match(await thrown(t, () => createKernel({ pluggins: {} } as never)), {
    code: 'PLINTH_OPTION_UNKNOWN',
    message: 'createKernel: the option pluggins is not known, did you mean "plugins"?',
  })
  t.match(await thrown(t, () => createKernel({ database: memory, plugins: { lamp: { plugin: {} as never } } })), {
    code: 'PLINTH_PLUGIN_CONFIG',
    message: 'config/plugins: lamp.plugin: must be the result of definePlugin',
  })
})

t.test('registrations after the freeze are refused with the name of the plugin', async t => {
  const definition = { name: 'late', register: nothing }
  const works: Record<string, (kernel: Untyped) => unknown> = {
    'hook preWrite': ({ hooks }) => hooks.on('preWrite', nothing),
    'hook late:it': ({ hooks }) => hooks.declare('late:it'),
    'operator $x': ({ operators }) => operators.add({ name: '$x', operand: 'one', sql: String }),
    'parameter x': ({ parameters }) => parameters.add({ name: 'x' }),
    'attribute type x': ({ attributeTypes }) => attributeTypes.add('x', { storage: 'text', family: 'text' }),
    'contentTypes.add': kernel => kernel.contentTypes.add(type('late', {})),
    'component a.b': kernel => kernel.contentTypes.addComponent({ attributes: {} }, 'a.b'),
    'strategy x': ({ auth }) => auth.use({ name: 'x', authenticate: nothing }),
    'plugin late': kernel => (kernel as unknown as KernelInstance).registerPlugin(definition as never, {}, null),
    'lifecycles.subscribe': ({ lifecycles }) => lifecycles.subscribe(null, {}),
  }
  const kernel = (await boot(t, { contentTypes })) as unknown as Untyped
  for (const [what, work] of Object.entries(works)) {
    const message = `the application: ${what}: the model is frozen; make all registrations in the function \`register\``
    t.match(await thrown(t, async () => work(kernel)), { code: 'PLINTH_FROZEN', message })
  }
  for (const [what, work] of Object.entries(works)) {
    if (what === 'lifecycles.subscribe') continue
    const lamp = definePlugin({
      name: 'lamp',
      register: nothing,
      bootstrap: async tools => void (await work(tools.kernel as never)),
    })
    const start = async () =>
      (await createKernel({ database: memory, contentTypes, plugins: { lamp: { plugin: lamp } } })).close()
    t.match(await thrown(t, start), {
      message: `plugin lamp: ${what}: the model is frozen; make all registrations in the function \`register\``,
    })
  }
})

t.test('subscriptions to unknown types are refused', async t => {
  const listen = ({ lifecycles }: Kernel) => lifecycles.subscribe(['api::tga.tag'], { beforeCreate: nothing })
  t.match(await thrown(t, () => boot(t, { contentTypes, configure: listen })), {
    message: 'Unknown content type "api::tga.tag", did you mean "api::tag.tag"?',
  })
})

t.test('an error of a plugin at the start keeps its class and names plugin and place', async t => {
  const fail = () => {
    throw new RangeError('too dark')
  }
  const of = (definition: object) => ({
    lamp: { plugin: definePlugin({ name: 'lamp', register: nothing, ...definition } as never) },
  })
  const on = (name: 'preModel' | 'onModel', fn: () => void) =>
    of({ register: ({ kernel }: { kernel: Kernel }) => kernel.hooks.on(name, fn as never) })
  const cases = {
    'plugin lamp: register: too dark': of({ register: fail }),
    'plugin lamp: bootstrap: too dark': of({ bootstrap: async () => fail() }),
    'plugin lamp: hook preModel: too dark': on('preModel', fail),
    'plugin lamp: hook onModel: too dark': on('onModel', async () => fail()),
  }
  for (const [message, plugins] of Object.entries(cases)) {
    const error = await thrown(t, () => createKernel({ database: memory, contentTypes, plugins }))
    t.ok(error instanceof RangeError, message)
    t.equal(error.message, message)
    t.match(error.stack, message, 'the stack begins so, too')
  }
  const text = await thrown(t, () =>
    createKernel({
      database: memory,
      plugins: of({
        register: () => {
          throw 'dark'
        },
      }),
    }),
  )
  t.match(text, { code: 'PLINTH_PLUGIN_FAILED', message: 'plugin lamp: register: dark' })
})

t.test('an error of onCommit is logged with its plugin', async t => {
  const log = notes()
  const lamp = definePlugin({
    name: 'lamp',
    register: ({ kernel }) =>
      kernel.hooks.on('onCommit', () => {
        throw new RangeError('too dark')
      }),
  })
  const kernel = await boot(t, { contentTypes, plugins: { lamp: { plugin: lamp } }, logger: log })
  await kernel.query(uid('tag')).create({ data: {} })
  t.match(log.errors, [{ message: 'too dark', plugin: 'lamp', hook: 'onCommit' }])
})

t.test('what a parameter offers is listed, and its errors name the plugin', async t => {
  const offer = {
    ...{ many: true, default: 'dark', typeName: 'Tone' },
    refuseLiteral: () => {
      throw new Error('too dark')
    },
  }
  const base = {
    schema: Type.String(),
    for: () => true,
    actions: ['find'],
    depth: 'root',
    shape: () => '',
    plan: nothing,
  }
  const kernel = await boot(t, {
    configure: ({ parameters }) => {
      for (const one of [
        { ...base, name: 'tone', offer },
        { ...base, name: 'tint' },
      ])
        parameters.add(one as never)
    },
  })
  const [tone, tint] = kernel.parameters.values()
  t.match(tone, { name: 'tone', offer: { many: true, default: 'dark', typeName: 'Tone' } })
  t.equal(tint!.offer, undefined)
  t.match(await thrown(t, () => tone!.offer!.refuseLiteral!('x')), { plugin: 'app', hook: /^parameter tone/ })
})
