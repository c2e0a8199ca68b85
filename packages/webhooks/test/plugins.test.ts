// With the plugins that exist: roles, API tokens, and files.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import apiTokens, { tokensOf } from '@plinth/api-tokens'
import upload from '@plinth/upload'
import usersPermissions from '@plinth/users-permissions'
import t from 'tap'
import { drained, start, uid } from './fixtures/boot.ts'
import { receive, wordsOf } from './fixtures/receiver.ts'

const find = ['api::note.note.findOne', 'api::note.note.find']

t.test('roles and tokens', async t => {
  const names = ['public', 'role', 'named', 'token', 'missing'] as const
  const received = new Map<string, Awaited<ReturnType<typeof receive>>>()
  for (const name of names) received.set(name, await receive(t))
  const urlOf = (name: string) => received.get(name)!.url
  const permissions = { public: [], authenticated: find }
  const plugins = {
    'users-permissions': {
      plugin: usersPermissions,
      config: { jwtSecret: 'a secret of a test, long enough', permissions },
    },
    'api-tokens': { plugin: apiTokens, config: { salt: 'salt-of-the-tests' } },
  }
  const hooks = {
    public: { url: urlOf('public') },
    role: { url: urlOf('role'), as: { role: 'authenticated' } },
    named: { url: urlOf('named'), as: { role: 'Authenticated' } },
    token: { url: urlOf('token'), as: { token: 'site' } },
    missing: { url: urlOf('missing'), as: { token: 'none' } },
  }
  const { kernel, notes, log } = await start(t, { hooks, plugins })
  t.same(
    log.flatMap(line => /webhooks: "(\w+)" does not receive all events/.exec(line)?.[1] ?? []),
    ['public'],
  )
  t.same(
    log.filter(line => line.includes('receives no events')),
    [
      'webhooks: "token" receives no events: token site does not exist',
      'webhooks: "missing" receives no events: token none does not exist',
    ],
  )
  await tokensOf(kernel).create({ name: 'site', type: 'custom', permissions: [find[0]] })
  // The rights of tokens are remembered for three seconds.
  const isSeen = async () => {
    await notes.create({ data: { n: 1 } })
    await drained(kernel)
    return received.get('token')!.all.length > 0
  }
  while (!(await isSeen())) await new Promise(resolve => setTimeout(resolve, 100))
  t.ok(received.get('role')!.all.length > 0)
  t.equal(received.get('named')!.all.length, received.get('role')!.all.length)
  t.same(received.get('public')!.all, [])
  t.same(received.get('missing')!.all, [])
})

t.test('files', async t => {
  const folder = await mkdtemp(join(tmpdir(), 'plinth-webhooks-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  const { url, all } = await receive(t)
  const plugins = { upload: { plugin: upload, config: { folder } } }
  const events = ['media.create', 'media.update', 'media.delete']
  const { kernel } = await start(t, { hooks: { site: { url, events }, entries: { url } }, plugins })
  const files = kernel.plugin('upload').service('upload')
  const [file] = await files.upload({ data: {}, files: { content: 'text', name: 'a.txt', type: 'text/plain' } })
  await kernel.query('plugin::upload.file').update(file!.id, { data: { caption: 'A text' } })
  await kernel.query('plugin::upload.file').delete(file!.id)
  await kernel.query(uid).create({ data: { n: 1 } })
  await drained(kernel)
  t.same(all.map(wordsOf).sort(), ['entry.create 1', 'media.create 1', 'media.delete 1', 'media.update 1'])
  const created = all.find(one => one.event === 'media.create')!
  t.same(Object.keys(created.body), ['event', 'createdAt', 'media'], 'as v4 sends it')
  t.match(created.body.media, { id: 1, name: 'a.txt', url: String })
})
