/** Plugins that do not concern a type leave its writes as they are: the same statements, in the same commits (trap T9). */

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { tokensOf } from '@plinth/api-tokens'
import { createContext, openAccess, type PluginsConfig } from '@plinth/kernel'
import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { boot, client, testClient } from '../boot.ts'
import { info } from './stories.ts'

const userUid = 'plugin::users-permissions.user'

const localized = { pluginOptions: { i18n: { localized: true } } }
const tags = { type: 'relation', relation: 'manyToMany', target: 'api::tag.tag' }
const contentTypes = [
  { info: info('tag', 'tags'), attributes: { label: { type: 'string' } } },
  { info: info('memo', 'memos'), attributes: { text: { type: 'text' }, code: { type: 'uid' }, tags } },
  {
    info: info('page', 'pages'),
    ...localized,
    options: { draftAndPublish: true },
    attributes: { title: { type: 'string', ...localized }, memo: { ...tags, target: 'api::memo.memo' } },
  },
]

/** The statements of writes that arrive together, each with its own observer, as text. */
async function statementsOf(t: Test, plugins: PluginsConfig) {
  const { kernel } = await boot(t, { dir: undefined, contentTypes, plugins: { rest: true, ...plugins } })
  const caller = createContext({ ...openAccess, key: 'somebody' })
  const together = async (count: number, write: (i: number) => Promise<unknown>) => {
    const lists = Array.from({ length: count }, () => [] as string[])
    const observed = lists.map((list, i) =>
      kernel.observe({ onStatement: text => void list.push(text), onBegin() {}, onEnd() {} }, () => write(i)),
    )
    await Promise.all(observed)
    return lists
  }
  const memos = kernel.query('api::memo.memo', caller)
  const labels = kernel.query('api::tag.tag', caller)
  await labels.create({ data: { label: 'a' } })
  await memos.create({ data: {} })
  return {
    creations: await together(5, i => labels.create({ data: { label: `${i}` } })),
    updates: await together(5, i => labels.update(i + 1, { data: { label: `${i}!` } })),
    links: await together(1, i => memos.create({ data: { text: `${i}`, tags: [1, 2] } })),
    changes: await together(1, () => memos.update(1, { data: { code: 'a', tags: { connect: [3] } } })),
    deletions: await together(1, () => memos.delete(1)),
  }
}

/** Everything that Plinth has, and callers who may do everything. Pages of the model are concerned by some of it. */
async function allPlugins(t: Test): Promise<PluginsConfig> {
  const folder = await mkdtemp(join(tmpdir(), 'plinth-uploads-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  return {
    'draft-publish': true,
    i18n: { config: { locales: ['en', 'de'] } },
    'users-permissions': {
      config: {
        jwtSecret: 'a secret of the tests, long enough',
        ratelimit: { enabled: false },
        permissions: { public: ['api::*'], authenticated: ['api::*', `${userUid}.me`] },
        // A rule concerns the types of its actions alone.
        rules: { authenticated: [{ action: 'api::page.page.*', where: { title: { $ne: '$user.username' } } }] },
      },
    },
    'api-tokens': { config: { salt: 'salt-of-the-tests' } },
    upload: { config: { folder } },
    graphql: true,
  }
}

t.test('writes of types that no plugin concerns', async t => {
  const without = await statementsOf(t, {})
  const { deletions, ...changes } = await statementsOf(t, await allPlugins(t))
  const { deletions: alone, ...unchanged } = without
  t.same(changes, unchanged)
  // Files can be related to entries of any type, with a media attribute or not.
  const [related, ...others] = deletions.flat().filter(text => !alone.flat().includes(text))
  t.match(related, /^DELETE FROM .files_related_morphs. WHERE .related_type. = /)
  t.same(others, [])
  t.same(
    deletions.flat().filter(text => text !== related),
    alone.flat(),
    'and nothing else',
  )
  t.ok(Object.values(without).every(lists => lists.every(list => list.length > 0)))
  if (testClient() !== 'sqlite') return
  t.same(
    without.updates.flat().filter(text => /savepoint/i.test(text)),
    [],
    'an update is private: it needs no savepoint',
  )
})

/** A server with three labels and a memo. */
async function serve(t: Test, plugins: PluginsConfig) {
  const app = await boot(t, { dir: undefined, contentTypes, plugins: { rest: true, ...plugins } })
  for (const label of ['a', 'b', 'c']) await app.kernel.query('api::tag.tag').create({ data: { label } })
  await app.kernel.query('api::memo.memo').create({ data: { text: 'first', tags: [1] } })
  return app
}

/** The statements of requests of a caller: those of the scenarios S6 and S7 of bench, and a change of links. */
async function statementsOfRequests(t: Test, app: FastifyInstance, headers: Readonly<Record<string, string>> = {}) {
  const { post, put } = client(app, headers)
  let sent = 0
  const requests = {
    create: () => post('/api/memos', { data: { text: 'a', tags: [1, 2] } }),
    update: () => put('/api/memos/1', { data: { text: `b ${++sent}` } }),
    link: () => put('/api/memos/1', { data: { tags: { connect: [3], disconnect: [1] } } }),
    unlink: () => put('/api/memos/1', { data: { tags: { connect: [1], disconnect: [3] } } }),
  }
  const found: Record<string, string[]> = {}
  // The first request of a caller reads the user or the token.
  t.equal((await requests.update()).status, 200)
  for (const [name, send] of Object.entries(requests)) {
    const texts: string[] = []
    const observer = { onStatement: (text: string) => void texts.push(text), onBegin() {}, onEnd() {} }
    t.equal((await app.kernel.observe(observer, send)).status, 200, name)
    found[name] = texts
  }
  return found
}

t.test('requests of callers whom no rule of the type concerns', async t => {
  const without = await statementsOfRequests(t, await serve(t, {}))
  t.ok(Object.values(without).every(list => list.length > 0))
  const app = await serve(t, await allPlugins(t))
  const { kernel } = app
  const roles = kernel.query('plugin::users-permissions.role')
  const [role] = await roles.findMany({ filters: { type: 'authenticated' } })
  const values = { username: 'ann', email: 'ann@example.com', password: 'ann-secret', provider: 'local' }
  await kernel.query(userUid).create({ data: { ...values, confirmed: true, role: role!.id } })
  const login = await client(app).post('/api/auth/local', { identifier: 'ann', password: 'ann-secret' })
  const { accessKey } = await tokensOf(kernel).create({ name: 'all', type: 'full-access' })
  const callers = {
    public: {},
    user: { authorization: `Bearer ${JSON.parse(login.text).jwt}` },
    token: { authorization: `Bearer ${accessKey}` },
  }
  for (const [name, headers] of Object.entries(callers))
    t.same(await statementsOfRequests(t, app, headers as Readonly<Record<string, string>>), without, name)
})
