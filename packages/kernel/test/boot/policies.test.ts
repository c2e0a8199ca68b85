// Policies of actions: where they are found, how they are called, and what they refuse (B-10.51, B-13.45 to B-13.49).

import t, { type Test } from 'tap'
import { definePlugin, type Kernel, NotFoundError, type PolicyContext, type PolicyUse } from '../../src/index.ts'
import { boot, folder, thrown, type } from '../fixtures/boot.ts'

const find = 'api::tag.tag.find'
const schema = { ...type('tag', { label: { type: 'string' } }), uid: undefined }

const files = {
  'src/api/tag/content-types/tag/schema.json': schema,
  'src/policies/open-hours.js': `module.exports = (policyContext, config, tools) => {
    policyContext.state.seen = { config, kernel: typeof tools.kernel.query, keys: Object.keys(tools) }
    return config.open
  }`,
  'src/policies/compiled.js': `Object.defineProperty(exports, '__esModule', { value: true }); exports.default = () => 'yes'`,
  'src/policies/checked.js': `module.exports = {
    name: 'checked',
    validator(config) { if (!('value' in config)) throw new Error('value is missing') },
    handler: (policyContext, config) => config.value,
  }`,
  'src/policies/broken.js': 'throw new Error("never loaded")',
  'src/policies/wrong.js': 'module.exports = 12',
  'src/policies/same.js': `module.exports = ({ state }) => { state.by = 'global' }`,
  'src/policies/types.d.ts': 'export {}',
  'src/policies/package.json': { type: 'commonjs' },
  'src/api/tag/policies/same.js': `module.exports = ({ state }) => { state.by = 'api' }`,
  'src/api/tag/policies/local.mjs': `export default async ({ state }) => { state.by = 'local' }`,
  'src/api/tag/policies/package.json': { type: 'commonjs' },
}

const shop = definePlugin({
  name: 'shop',
  register({ kernel }) {
    kernel.actions.add('plugin::shop.orders.pay')
    kernel.policies.add('late', ({ state }) => {
      state.by = 'shop'
    })
    kernel.policies.add('never', { handler: () => false })
  },
})

interface Options {
  readonly action?: string
  readonly configure?: (kernel: Kernel) => void
}

async function open(t: Test, policies: readonly PolicyUse[], { action = find, configure }: Options = {}) {
  return boot(t, {
    dir: await folder(t, files),
    plugins: { shop: { plugin: shop } },
    configure(kernel) {
      configure?.(kernel)
      kernel.actions.set(action, { policies })
    },
  })
}

const contextOf = (kernel: Kernel): PolicyContext => {
  const caller = kernel.context({ key: 'x', user: null, can: () => true })
  return { type: 'koa', is: (name: string) => name === 'koa', action: find, caller, state: caller.state } as never
}

/** What policies leave in the state. */
async function run(t: Test, policies: readonly PolicyUse[], options: Options = {}) {
  const kernel = await open(t, policies, options)
  const policyContext = contextOf(kernel)
  await kernel.policies.of(options.action ?? find)!(policyContext)
  return policyContext.state
}

t.test('names are looked up globally, then in the API or plugin of the action', async t => {
  t.equal((await run(t, ['same'])).by, 'global')
  t.equal((await run(t, ['api::tag.same'])).by, 'api')
  t.equal((await run(t, ['local'])).by, 'local')
  t.equal((await run(t, ['plugin::shop.late'])).by, 'shop')
  t.equal((await run(t, ['late'], { action: 'plugin::shop.orders.pay' })).by, 'shop')
  const configure = ({ policies }: Kernel) =>
    policies.add('by-code', ({ state }) => void Object.assign(state, { by: 'code' }))
  t.equal((await run(t, ['by-code'], { configure })).by, 'code')
  t.equal((await run(t, [({ state }) => void Object.assign(state, { by: 'in place' })])).by, 'in place')
})

t.test('a policy receives its settings and the kernel', async t => {
  const { seen } = await run(t, [{ name: 'global::open-hours', config: { open: true } }])
  t.same(seen, { config: { open: true }, kernel: 'function', keys: ['kernel'] })
})

t.test('only true and nothing pass', async t => {
  for (const value of [true, undefined])
    await t.resolves(run(t, [{ name: 'checked', config: { value } }]), String(value))
  for (const value of [false, null, 0, 'yes', {}])
    await t.rejects(
      run(t, [{ name: 'checked', config: { value } }]),
      { name: 'PolicyError', status: 403 },
      String(value),
    )
  await t.rejects(run(t, ['compiled']), { name: 'PolicyError' }, 'what a compiler made of a default export')
  await t.rejects(run(t, [() => Promise.resolve(false)]), { name: 'PolicyError' }, 'asynchronous')
})

t.test('policies run in their order until one fails', async t => {
  const order: number[] = []
  const one =
    (number: number, passes = true): PolicyUse =>
    () => {
      order.push(number)
      return passes
    }
  await t.rejects(run(t, [one(1), one(2, false), one(3)]), { name: 'PolicyError' })
  t.same(order, [1, 2])
})

t.test('what a policy throws keeps its class and names the policy', async t => {
  const refuse = () => {
    throw new NotFoundError('No such entry')
  }
  t.match(await thrown(t, () => run(t, [refuse])), {
    name: 'NotFoundError',
    message: 'No such entry',
    plugin: 'app',
    hook: `policy of ${find}`,
  })
  t.match(await thrown(t, () => run(t, [{ name: 'open-hours', config: null }])), { hook: 'policy global::open-hours' })
})

t.test('actions without policies have none', async t => {
  const kernel = await open(t, ['local'])
  t.type(kernel.policies.of(find), 'function')
  t.equal(kernel.policies.of('api::tag.tag.create'), null)
  t.equal((await open(t, [])).policies.of(find), null)
})

t.test('a transport finds policies for places that are no actions', async t => {
  const kernel = await open(t, [])
  const { policies } = kernel
  t.equal(await policies.prepare('field a', []), null)
  const context = contextOf(kernel)
  await (await policies.prepare('field a', ['same', { name: 'checked', config: { value: true } }]))!(context)
  t.equal(context.state.by, 'global')
  const refusing = await policies.prepare('field a', [() => false])
  await t.rejects(refusing!(context), { name: 'PolicyError' })
  const faults: [unknown, string][] = [
    ['sam', 'field a: there is no policy "sam", did you mean "global::same"?'],
    ['local', 'field a: there is no policy "local", did you mean "api::tag.local"?'],
    [{ name: 'checked' }, 'field a: policy global::checked: config: value is missing'],
    [12, 'field a: policies.0: must be a name, { name, config } or a function, found 12'],
  ]
  for (const [use, message] of faults)
    await t.rejects(policies.prepare('field a', [use as PolicyUse]), { message: `the application: ${message}` })
})

t.test('mistakes stop the start', async t => {
  const mistakes: [readonly unknown[], string, string][] = [
    [
      ['global::open-hour'],
      'PLINTH_POLICY_UNKNOWN',
      'there is no policy "global::open-hour", did you mean "global::open-hours"?',
    ],
    [['loca'], 'PLINTH_POLICY_UNKNOWN', 'there is no policy "loca", did you mean "api::tag.local"?'],
    [['late'], 'PLINTH_POLICY_UNKNOWN', 'there is no policy "late", did you mean "plugin::shop.late"?'],
    [[12], 'PLINTH_DEFINITION_INVALID', 'policies.0: must be a name, { name, config } or a function, found 12'],
    [[{ nam: 'local' }], 'PLINTH_DEFINITION_INVALID', 'policies.0: nam is not known, did you mean "name"?'],
    [[{ name: 'checked' }], 'PLINTH_PLUGIN_FAILED', 'policy global::checked: config: value is missing'],
  ]
  for (const [policies, , message] of mistakes)
    t.match(await thrown(t, () => open(t, policies as never)), {
      message: `the application: action ${find}: ${message}`,
    })
  for (const [policies, code] of mistakes.slice(0, -1))
    t.match(await thrown(t, () => open(t, policies as never)), { code, name: 'RegistrationError' })
  t.match(await thrown(t, () => open(t, ['wrong'])), {
    code: 'PLINTH_POLICY_INVALID',
    message: 'src/policies/wrong.js: must be a function or { handler }, found 12',
  })
  t.match(await thrown(t, () => open(t, ['broken'])), {
    code: 'PLINTH_SCHEMA_LOAD',
    message: 'src/policies/broken.js: cannot be loaded: Error: never loaded',
  })
  const twice = ({ policies }: Kernel) => {
    policies.add('a', () => true)
    policies.add('a', () => true)
  }
  t.match(await thrown(t, () => open(t, [], { configure: twice })), {
    message: 'the application: policy a: already exists',
  })
})
