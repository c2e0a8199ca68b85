// `proxy` of config/server: from which proxies forwarded headers are trusted (B-10.41).

import { definePlugin } from '@plinth/kernel'
import t from 'tap'
import { clientAddress } from '../src/client-address.ts'
import { folder, open } from './fixtures/open.ts'

const routes = definePlugin({
  name: 'routes',
  register: ({ app }) => void app?.get('/', async ({ ip, protocol }) => ({ ip, protocol })),
})
const headers = { 'x-forwarded-for': '203.0.113.9', 'x-forwarded-proto': 'https' }
const plugins = { routes: { plugin: routes } }

t.test('`proxy` of config/server decides whether forwarded headers are trusted', async t => {
  const forwarded = { ip: '203.0.113.9', protocol: 'https' }
  const direct = { ip: '127.0.0.1', protocol: 'http' }
  for (const [proxy, seen] of [
    [undefined, direct],
    [false, direct],
    ['', direct],
    [true, forwarded],
    ['127.0.0.1', forwarded],
    ['10.0.0.1, 127.0.0.0/8', forwarded],
    [['loopback', 'fd00::/8'], forwarded],
    ['10.0.0.1', direct],
  ] as const) {
    const app = await open(t, { dir: await folder(t, { 'config/server.json': { proxy } }), plugins })
    t.same((await app.inject({ url: '/', headers })).json(), seen, JSON.stringify(proxy))
    const upgrade = { headers, socket: { remoteAddress: '127.0.0.1' } } as never
    t.equal(clientAddress(app.kernel, upgrade), seen.ip, 'also of a request that Fastify does not route')
  }
  const over = { fastify: { trustProxy: false }, dir: await folder(t, { 'config/server.json': { proxy: true } }) }
  t.same((await (await open(t, { ...over, plugins })).inject({ url: '/', headers })).json(), direct)
})

t.test('invalid values of `proxy` are refused', async t => {
  for (const proxy of ['yes', 'proxy.example', 1, {}, [], [1], '10.0.0.0/33', '999.0.0.1', ['fd00::/129']])
    await t.rejects(open(t, { dir: await folder(t, { 'config/server.json': { proxy } }) }), {
      code: 'PLINTH_CONFIG_INVALID',
      message: `config/server: proxy must be true, false, or the addresses of proxies ("10.0.0.1, 192.168.0.0/16"), not ${JSON.stringify(proxy)}`,
    })
})
