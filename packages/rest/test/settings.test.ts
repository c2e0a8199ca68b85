// The settings of the REST API: prefix, limits and headers (B-1.40 to B-1.56).

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { resolveSettings } from '../src/config.ts'
import { start } from './fixtures/boot.ts'

t.test('prefix', async t => {
  for (const [prefix, path] of [
    ['/content/v1', '/content/v1/tags'],
    ['/content/', '/content/tags'],
    ['/', '/tags'],
  ] as const) {
    const { app, of } = await start(t, { config: { prefix } })
    await of('tag').create({ data: { label: 'a' } })
    t.match((await app.inject(path)).json(), { data: [{ id: 1 }] }, prefix)
    t.match((await app.inject(`${path}/1`)).json(), { data: { id: 1 } })
    t.equal((await app.inject('/api/tags')).statusCode, 404)
    const wrong = await app.inject({ method: 'DELETE', url: path })
    t.equal(wrong.statusCode, 405)
    t.equal(wrong.headers.allow, 'HEAD, GET, POST')
    t.equal((await app.inject('/_health')).statusCode, 204, 'the health check stays')
  }
  for (const prefix of ['content', '', '/a b', '/../x', 5])
    await t.rejects(start(t, { config: { prefix } }), { message: /rest\.config\.prefix/ }, String(prefix))
})

t.test('limits', async t => {
  const page = async (config: Record<string, unknown>, query: string) => {
    const { app, of } = await start(t, { config })
    for (let i = 0; i < 7; i++) await of('tag').create({ data: { label: `t${i}` } })
    const { data, meta } = (await app.inject(`/api/tags?${query}`)).json()
    return { count: data.length, ...meta.pagination }
  }
  t.match(await page({ maxLimit: 3 }, 'pagination[pageSize]=100'), { count: 3, pageSize: 3, pageCount: 3, total: 7 })
  t.match(await page({ maxLimit: 3 }, 'pagination[limit]=100'), { count: 3, limit: 3 })
  t.match(await page({ maxLimit: -1 }, 'pagination[pageSize]=100000'), { count: 7, pageSize: 100_000 })
  t.match(await page({ maxLimit: -1, defaultLimit: 2 }, ''), { count: 2, pageSize: 2 })
  t.match(await page({ maxLimit: -1 }, 'pagination[limit]=-1'), { count: 7 }, 'all there are')
  const uncounted = await page({ withCount: false }, 'pagination[pageSize]=2')
  t.match(uncounted, { count: 2, pageSize: 2 })
  t.notOk('total' in uncounted || 'pageCount' in uncounted)
  t.match(await page({ withCount: false }, 'pagination[withCount]=true'), { total: 7 })
})

t.test('config/api is checked', async t => {
  let made = 0
  const folder = t.testdir({})
  /** An application with this config/api. */
  const withApi = (api: unknown) => {
    const dir = join(folder, String(made++))
    mkdirSync(join(dir, 'config'), { recursive: true })
    writeFileSync(join(dir, 'config/api.json'), JSON.stringify(api))
    return dir
  }
  for (const [rest, message] of [
    [{ maxLimit: 'abc' }, 'config/api: rest.maxLimit must be a whole number'],
    [{ maxLimit: 0 }, /^config\/api: rest\.maxLimit must not be 0$/],
    [{ cors: 5 }, /^config\/api: rest\.cors must be true or false or an object$/],
    [{ cors: { maxAge: -1 } }, /^config\/api: rest\.cors\.maxAge must be at least 0$/],
    [{ poweredBy: true }, /^config\/api: rest\.poweredBy must be false or a string$/],
    [
      { body: { jsonLimit: 'x' } },
      /^config\/api: rest\.body\.jsonLimit must be a size, such as "2mb" or a number of bytes$/,
    ],
    [{ maxRows: 0 }, /^config\/api: rest\.maxRows must be at least 1$/],
    [{ defaultLimit: 0 }, /^config\/api: rest\.defaultLimit must be at least 1$/],
    [
      { prefix: 'v2' },
      /^config\/api: rest\.prefix must be a path in lower case that begins with "\/", such as "\/api"$/,
    ],
    [
      { withCount: 'no', maxCost: 'many' },
      /rest\.withCount must be true or false; config\/api: rest\.maxCost must be a whole number/,
    ],
    ['/v2', 'config/api: rest must be an object'],
  ] as const)
    await t.rejects(start(t, { dir: withApi({ rest }) }), { message }, JSON.stringify(rest))
  await t.rejects(start(t, { config: { maxLimit: 0 } }), { message: /rest\.config\.maxLimit/ })
  const limits = { maxLimit: 10, maxCost: 50, maxRows: 9 }
  const { app, of } = await start(t, { dir: withApi({ rest: { prefix: '/v2', ...limits } }) })
  for (let i = 0; i < 12; i++) await of('tag').create({ data: { label: `t${i}` } })
  t.equal((await app.inject('/v2/tags?pagination[pageSize]=9')).statusCode, 200)
  const refused = (await app.inject('/v2/tags')).json()
  t.match(refused, {
    error: { status: 400, message: /10 rows, but the limit is 9/, details: { rows: 10, maxRows: 9 } },
  })
  const warnings: string[] = []
  const { pagination } = resolveSettings({}, { rest: { maxLimt: 5 } }, message => warnings.push(message))
  t.same(warnings, ['config/api: rest.maxLimt is not known, did you mean "maxLimit"?'], 'v4 takes no notice of it')
  t.equal(pagination.maxLimit, 100)
  const given = { rest: { cors: false, body: { jsonLimit: '2mb' }, poweredBy: false, securityHeaders: false } }
  t.match(resolveSettings({}, given, t.fail), {
    cors: { setting: false, place: 'rest.cors of config/api' },
    limits: { json: 2 * 1024 * 1024 },
    poweredBy: false,
  })
})

t.test('securityHeaders', async t => {
  const names = ['content-security-policy', 'strict-transport-security', 'x-content-type-options', 'x-frame-options']
  for (const securityHeaders of [true, false]) {
    const { app } = await start(t, { config: { securityHeaders } })
    for (const url of ['/api/tags', '/api/nothing', '/api/tags?sort=nothing']) {
      const { headers } = await app.inject(url)
      t.same(
        names.filter(name => name in headers),
        securityHeaders ? names : [],
        `${url}, ${securityHeaders}`,
      )
    }
  }
})

t.test('HEAD answers as GET, without a body', async t => {
  const { app, of } = await start(t)
  await of('tag').create({ data: { label: 'a' } })
  for (const url of ['/api/tags', '/api/tags/1', '/api/tags/9', '/api/tags?sort=nothing', '/api/nothing', '/_health']) {
    const [get, head] = [await app.inject(url), await app.inject({ method: 'HEAD', url })]
    t.equal(head.statusCode, get.statusCode, url)
    t.equal(head.payload, '')
    for (const name of ['content-type', 'content-length', 'x-frame-options'])
      t.equal(head.headers[name], get.headers[name], name)
  }
})

t.test('invalid settings are refused', async t => {
  for (const config of [
    { maxLimit: -2 },
    { defaultLimit: 0 },
    { cors: 'all' },
    { cors: { origin: 5 } },
    { cors: { origins: [] } },
    { body: { jsonLimit: '1 tb' } },
    { body: { formLimit: 0 } },
    { maxLimits: 1 },
  ])
    await t.rejects(start(t, { config }), { message: /rest\.config/ }, JSON.stringify(config))
})
