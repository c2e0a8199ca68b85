// The plugin contract and the application's own module: the forms of config/plugins, the faults that stop the start,
// and the order of registration (B-10.44, B-10.50).

import t, { type Test } from 'tap'
import { createKernel, definePlugin, definePlugins, type PluginsConfig, Type } from '../../src/index.ts'
import { boot, folder, temporary, thrown } from '../fixtures/boot.ts'

const kernelFile = new URL('../../src/index.ts', import.meta.url).href

/** A plugin file that reports its steps to `globalThis[key]`. */
const pluginFile = (key: string, name: string, more = '') => `
  import { definePlugin, Type } from ${JSON.stringify(kernelFile)}
  const note = word => (globalThis[${JSON.stringify(key)}] ??= []).push(word)
  export default definePlugin({
    name: ${JSON.stringify(name)},
    register: ({ config }) => note('register ${name} ' + JSON.stringify(config)),
    bootstrap: () => note('bootstrap ${name}'),
    destroy: () => note('destroy ${name}'),
    ${more}
  })`

let keys = 0
/** A fresh list that plugin files write to. */
function calls() {
  const key = `calls${keys++}`
  const steps: string[] = []
  Object.assign(globalThis, { [key]: steps })
  return { key, steps }
}

const memory = { client: 'sqlite', connection: { filename: ':memory:' } }
const refusal = async (t: Test, plugins: PluginsConfig, dir?: string) =>
  thrown(t, async () => (await createKernel({ dir: dir ?? (await temporary(t)), database: memory, plugins })).close())

t.test('every form of an entry in config/plugins is loaded', async t => {
  const { key, steps } = calls()
  const package_ = (name: string) => ({
    [`node_modules/plinth-plugin-${name}/package.json`]: { type: 'module', exports: './index.js' },
    [`node_modules/plinth-plugin-${name}/index.js`]: pluginFile(key, name),
  })
  const settings =
    'config: Type.Object({ size: Type.Integer({ default: 3 }), deep: Type.Object({ on: Type.Boolean({ default: true }) }, { default: {} }) }, { additionalProperties: false }),'
  const dir = await folder(t, {
    'package.json': { type: 'module' },
    ...package_('found'),
    ...package_('off'),
    ...package_('disabled'),
    'src/plugins/path/index.js': pluginFile(key, 'path', settings),
    'src/plugins/one.ts': pluginFile(key, 'one', settings),
    'node_modules/some-package/package.json': { type: 'module', exports: './index.js' },
    'node_modules/some-package/index.js': pluginFile(key, 'packaged'),
    'config/plugins.js': `export default ({ env }) => ({
      found: true,
      off: false,
      disabled: { enabled: false },
      path: { resolve: './src/plugins/path', config: { deep: { on: env.bool('NO_SUCH_VARIABLE', false) } } },
      one: { enabled: true, resolve: './src/plugins/one', config: { size: 5 } },
      packaged: { resolve: 'some-package' },
    })`,
  })
  const kernel = await boot(t, { dir })
  t.same(steps, [
    'register found {}',
    'register path {"deep":{"on":false},"size":3}',
    'register one {"size":5,"deep":{"on":true}}',
    'register packaged {}',
    ...['found', 'path', 'one', 'packaged'].map(name => `bootstrap ${name}`),
  ])
  steps.length = 0
  await kernel.close()
  await kernel.close()
  t.same(
    steps,
    ['packaged', 'one', 'path', 'found'].map(name => `destroy ${name}`),
    'once, the last first',
  )
})

t.test('all faults of config/plugins are reported together', async t => {
  const config = Type.Object(
    { size: Type.Integer(), mode: Type.Union([Type.Literal('a'), Type.Literal('b')], { default: 'a' }) },
    { additionalProperties: false },
  )
  const lamp = definePlugin({
    name: 'lamp',
    config,
    dependencies: ['socket'],
    register: () => void t.fail('is not registered'),
  })
  const plain = definePlugin({ name: 'plain', register: () => void t.fail('is not registered') })
  const error = await refusal(t, {
    lamp: { plugin: lamp, config: { siez: 1, mode: 'c' } },
    plain: { plugin: plain, config: { extra: 1 } },
    wrong: 5 as never,
    'upload-files': true,
    uploda: true,
    gone: { resolve: './nowhere' },
    away: { resolve: 'no-such-package' },
  })
  t.equal(error.name, 'PluginConfigError')
  for (const words of [
    /lamp\.config\.size: is missing/,
    /lamp\.config\.siez: is not known, did you mean "size"\?/,
    /lamp\.config\.mode: must be one of "a", "b"/,
    /lamp: needs the plugin "socket", which is not enabled/,
    /plain\.config\.extra: is not known/,
    /wrong: must be true, false or an object/,
    /the plugin "upload-files" was not found \(looked for the packages @plinth\/upload-files and plinth-plugin-upload-files\)/,
    /the plugin "uploda" was not found \(looked for the packages @plinth\/uploda and plinth-plugin-uploda\): npm install @plinth\/uploda, or plinth-plugin-uploda$/m,
    /"gone" resolves to "\.\/nowhere", which does not exist or is not a plugin$/m,
    /"away" resolves to "no-such-package", which does not exist or is not a plugin: npm install no-such-package$/m,
  ])
    t.match(error.message, words)
  const entries = { lamp: { plugin: plain, enabled: 'false' }, plain: { plugin: plain, enabled: 0, resolve: 5 } }
  t.equal(
    (await refusal(t, entries as never)).message,
    [
      'config/plugins: ',
      'lamp: enabled must be true or false, not "false"',
      'plain: enabled must be true or false, not 0',
      'plain: resolve must be a path or the name of a package, not 5',
    ].join('\n  - '),
  )
  const missing = await refusal(t, { uploda: true, 'no-such': true })
  t.equal(missing.name, 'PluginNotFoundError')
  t.match(missing.message, /uploda.*no-such/)
  const dir = await folder(t, { 'package.json': { type: 'module' }, 'thing.js': 'export default () => {}' })
  t.match(await refusal(t, { thing: { resolve: './thing.js' } }, dir), {
    name: 'PluginNotFoundError',
    message: /is not a plugin/,
  })
})

t.test('the suggested name is that of an installed plugin', async t => {
  const dir = await folder(t, {
    'package.json': { type: 'module' },
    'node_modules/@plinth/lamp/package.json': {},
    'node_modules/plinth-plugin-socket/package.json': {},
  })
  t.match((await refusal(t, { lmap: true }, dir)).message, /the plugin "lmap" was not found .*, did you mean "lamp"\?$/)
  t.match(
    (await refusal(t, { sockets: true }, dir)).message,
    /the plugin "sockets" was not found .*, did you mean "socket"\?$/,
  )
  t.notMatch((await refusal(t, { upload: true }, dir)).message, /did you mean/)
})

t.test('plugins are registered after their dependencies, and a cycle is refused', async t => {
  const order: string[] = []
  const plugin = (name: string, dependencies: string[] = [], after: string[] = []) => ({
    [name]: { plugin: definePlugin({ name, dependencies, after, register: () => void order.push(name) }) },
  })
  const plugins = definePlugins({
    ...plugin('a', ['c']),
    ...plugin('b', [], ['d', 'absent']),
    ...plugin('c', ['e']),
    ...plugin('d'),
    ...plugin('e'),
  }) as PluginsConfig
  await boot(t, { file: ':memory:', plugins })
  t.same(order, ['e', 'c', 'a', 'd', 'b'])
  const error = await refusal(t, { ...plugin('x', ['y']), ...plugin('y', ['z']), ...plugin('z', ['x']) })
  t.match(error, { name: 'PluginConfigError', message: /form a cycle: x → y → z → x/ })
  t.equal(order.length, 5)
})

t.test('src/index registers before the freeze, bootstraps after the sync, is destroyed first', async t => {
  const { key, steps } = calls()
  const index = `
    const note = word => globalThis[${JSON.stringify(key)}].push(word)
    const tag = { uid: 'api::tag.tag', info: { singularName: 'tag', pluralName: 'tags', displayName: 'Tag' }, attributes: {} }
    export default {
      async register({ kernel, app }) {
        await new Promise(resolve => setTimeout(resolve, 2))
        kernel.contentTypes.add(tag)
        kernel.hooks.on('preModel', draft => draft.attribute('name', { type: 'string' }))
        note('register ' + kernel.contentTypes.values().length + ' ' + app)
      },
      async bootstrap({ kernel }) {
        await kernel.query('api::tag.tag').create({ data: { name: 'seed' } })
        note('bootstrap ' + (await kernel.query('api::tag.tag').count()))
      },
      async destroy({ kernel }) {
        note('destroy ' + (await kernel.query('api::tag.tag').count()))
      },
    }`
  const files = { 'package.json': { type: 'module' }, 'src/index.js': index, 'plug.js': pluginFile(key, 'plug') }
  const dir = await folder(t, files)
  const kernel = await boot(t, { dir, plugins: { plug: { resolve: './plug.js' } } })
  await kernel.close()
  t.same(steps, ['register plug {}', 'register 0 null', 'bootstrap plug', 'bootstrap 1', 'destroy 1', 'destroy plug'])
  const broken = await folder(t, {
    'package.json': { type: 'module' },
    'src/index.js': 'export default { bootsrap() {} }',
  })
  t.match(await refusal(t, {}, broken), {
    message: 'src/index: the export bootsrap is not known, did you mean "bootstrap"?',
  })
})

t.test('a failed start closes the plugins and the database', async t => {
  const failing = definePlugin({
    name: 'failing',
    register: () => {
      throw new RangeError('not today')
    },
  })
  t.match(await refusal(t, { failing: { plugin: failing } }), { message: 'not today' })
  const kernel = await boot(t, { file: ':memory:' })
  await kernel.close()
  await t.rejects(kernel.transaction(async () => {}))
})

t.test('a misspelt key of a plugin entry is refused', async t => {
  const registered: string[] = []
  const plugin = definePlugin({ name: 'lamp', register: () => void registered.push('lamp') })
  const dir = await temporary(t)
  const entry = { plugin, enabeld: false }
  const error = await thrown(t, async () => (await createKernel({ dir, plugins: { lamp: entry } })).close())
  t.equal(error.name, 'PluginConfigError')
  t.match(error.message, /lamp.*enabeld.*"enabled"/)
  t.same(registered, [])
})
