// Services: what plugins provide to each other, by name.

import t from 'tap'
import { definePlugin, type Kernel, type PluginDefinition, RegistrationError } from '../../src/index.ts'
import { boot, thrown, type } from '../fixtures/boot.ts'

declare module '../../src/boot/services.ts' {
  interface Services {
    readonly 'clock.now': () => number
  }
}

const contentTypes = [type('tag', { label: { type: 'string' } })]
const clock = definePlugin({
  name: 'clock',
  register: ({ kernel }) => kernel.services.provide('clock', 'now', () => 7),
})
const plugin = (name: string, register: (kernel: Kernel) => void, more: Partial<PluginDefinition> = {}) =>
  definePlugin({ name, ...more, register: ({ kernel }) => register(kernel) })

t.test('a service is found by its plugin and its name', async t => {
  const seen: unknown[] = []
  const user = plugin('user', kernel => seen.push(kernel.services.find('clock', 'now')?.()), { after: ['clock'] })
  const kernel = await boot(t, { contentTypes, plugins: { user: { plugin: user }, clock: { plugin: clock } } })
  t.same(seen, [7], 'plugins that are registered later have it in `register`')
  const now: number = kernel.plugin('clock').service('now')()
  t.equal(now, 7)
  t.equal(kernel.services.find('clock', 'now')?.(), 7)
  t.equal(kernel.services.find('clock', 'then'), null)
  t.equal(kernel.services.find('nobody', 'now'), null)
})

t.test('the application provides services, too', async t => {
  const kernel = await boot(t, {
    contentTypes,
    configure: kernel => kernel.services.provide('library', 'shelves', { count: 3 }),
  })
  t.same(kernel.plugin('library').service('shelves'), { count: 3 })
})

t.test('a service that is not there is an error that names the nearest', async t => {
  const kernel = await boot(t, { contentTypes, plugins: { clock: { plugin: clock } } })
  const messageOf = async (plugin: string, name: string, of = kernel) => {
    const error = await thrown(t, () => of.plugin(plugin).service(name))
    t.match(error, { name: 'UsageError', code: 'PLINTH_SERVICE_UNKNOWN' })
    return error.message
  }
  t.equal(await messageOf('clok', 'now'), 'There is no service "clok.now", did you mean "clock.now"?')
  t.equal(await messageOf('clock', 'nw'), 'There is no service "clock.nw", did you mean "clock.now"?')
  t.equal(await messageOf('zebra', 'stripes'), 'There is no service "zebra.stripes"; the known services are clock.now')
  const empty = await boot(t, { contentTypes })
  t.equal(await messageOf('clock', 'now', empty), 'There is no service "clock.now"; no plugin provides one')
  const early = plugin('early', kernel => kernel.plugin('clock').service('now'))
  const plugins = { early: { plugin: early }, clock: { plugin: clock } }
  t.match(
    (await thrown(t, () => boot(t, { contentTypes, plugins }))).message,
    /^plugin early: .*`dependencies`, `after`/,
  )
})

t.test('mistakes stop the start and name the plugin', async t => {
  const provide =
    (...args: unknown[]) =>
    (kernel: Kernel) =>
      (kernel.services.provide as (...args: unknown[]) => void).apply(kernel.services, args)
  const mistakes: [(kernel: Kernel) => void, string][] = [
    [provide('clock', 'now', 1), 'plugin late: service clock.now: plugin clock already provides it'],
    [provide('late', 'x', undefined), 'plugin late: service late.x: must have a value, found undefined'],
    [
      provide('late', 'x.y', 1),
      'plugin late: service late.x.y: the names of a plugin and of its service must consist of',
    ],
    [provide('', 'x', 1), 'plugin late: service .x: the names of a plugin'],
  ]
  for (const [register, message] of mistakes) {
    const late = plugin('late', register, { after: ['clock'] })
    const plugins = { late: { plugin: late }, clock: { plugin: clock } }
    const error = await thrown(t, () => boot(t, { contentTypes, plugins }))
    t.type(error, RegistrationError)
    t.ok(error.message.includes(message), error.message)
  }
  const kernel = await boot(t, { contentTypes })
  t.throws(() => kernel.services.provide('x', 'y', 1), { code: 'PLINTH_FROZEN', message: /service x\.y: the model is/ })
})
