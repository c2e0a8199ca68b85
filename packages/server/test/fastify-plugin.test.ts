// app.register(plinth, …): its options, failed starts, and what plugins and the application receive.

import { definePlugin, type Kernel } from '@plinth/kernel'
import Fastify, { type FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { createServer, type PlinthOptions, plinth } from '../src/index.ts'
import { folder, memory, open } from './fixtures/open.ts'

const routes = definePlugin({
  name: 'routes',
  register: ({ kernel }) => kernel.hooks.on('onMount', app => void app.get('/own', async () => 'own')),
})
const plugins = { routes: { plugin: routes } }

/** Not awaited, since that starts it: an instance is a promise, too. */
function host(t: Test, options: object, more: object = {}): { readonly app: FastifyInstance } {
  const app: FastifyInstance = Fastify(more)
  t.teardown(() => app.close())
  app.register(plinth, { database: memory, ...options } as PlinthOptions)
  return { app }
}

t.test('options of Fastify apply to Plinth’s routes', async t => {
  const lines: string[] = []
  const logger = { level: 'info', stream: { write: (line: string) => void lines.push(line) } }
  const { app } = host(t, { plugins, prefix: '/cms', logLevel: 'silent' }, { logger })
  app.get('/host', async () => typeof app.kernel.query)
  t.equal((await app.inject('/host')).body, 'function', 'the decorator is the server’s')
  t.equal((await app.inject('/own')).statusCode, 404)
  lines.splice(0)
  t.equal((await app.inject('/cms/own')).body, 'own')
  t.same(lines, [])
  await app.inject('/host')
  t.not(lines.length, 0)
})

t.test('unknown options are refused', async t => {
  const code = 'PLINTH_OPTION_UNKNOWN'
  for (const [options, message] of [
    [{ pluggins: {} }, /^plinth: the option pluggins is not known, did you mean "plugins"\?/],
    [{ prefx: '/cms' }, /^plinth: the option prefx is not known, did you mean "prefix"\?/],
    [{ wholeServr: true }, /^plinth: the option wholeServr is not known, did you mean "wholeServer"\?/],
    [{ wholeServer: true, prefix: '/cms' }, /^plinth with wholeServer: the option prefix is not known/],
  ] as const) {
    const { app } = host(t, options)
    await t.rejects(async () => void (await app.ready()), { code, message })
  }
  await t.rejects(createServer({ pluggins: {} } as never), {
    code,
    message: 'createServer: the option pluggins is not known, did you mean "plugins"?',
  })
})

t.test('a start that fails later closes the kernel', async t => {
  let kernel: Kernel | undefined
  const listen = (one: Kernel) => {
    kernel = one
  }
  const isClosed = () => t.rejects(async () => kernel!.transaction(async tx => void (await tx.all('SELECT 1', []))))
  const own = Fastify()
  t.teardown(() => own.close())
  own.setNotFoundHandler((_request, reply) => reply.code(404).send('mine'))
  own.register(plinth, { database: memory, configure: listen, wholeServer: true })
  await t.rejects(async () => void (await own.ready()), { message: /^Not found handler already set/ })
  await isClosed()
  const mounts = definePlugin({
    name: 'mounts',
    register: ({ kernel }) =>
      kernel.hooks.on('onMount', () => {
        throw new RangeError('no room')
      }),
  })
  for (const wholeServer of [true, false]) {
    const { app } = host(t, { configure: listen, plugins: { mounts: { plugin: mounts } }, wholeServer })
    await t.rejects(async () => void (await app.ready()), { message: 'plugin mounts: hook onMount: no room' })
    await isClosed()
  }
})

t.test('src/index receives the server', async t => {
  const text = `export default {
    register({ app, server }) {
      app.get('/own', async () => server === null ? 'a scope' : 'the whole server')
      server?.setNotFoundHandler((_request, reply) => reply.code(404).send('nothing'))
    },
  }`
  const dir = await folder(t, { 'package.json': { type: 'module' }, 'src/index.js': text })
  const app = await open(t, { dir })
  t.equal((await app.inject('/own')).body, 'the whole server')
  t.equal((await app.inject('/x')).body, 'nothing')
  const { app: shared } = host(t, { dir })
  t.equal((await shared.inject('/own')).body, 'a scope')
  t.match((await shared.inject('/x')).json(), { message: 'Route GET:/x not found' })
})
