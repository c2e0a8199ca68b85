// `plinth webhooks`, and what `plinth doctor` says of the webhooks of v4, in the folder of an application.

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { run } from '@plinth/cli'
import { createKernel } from '@plinth/kernel'
import { runHere } from '@plinth/test-tools/command'
import t, { type Test } from 'tap'
import webhooks from '../src/index.ts'
import { drained, fresh, note, quick, uid } from './fixtures/boot.ts'
import { accept, receive, wordsOf } from './fixtures/receiver.ts'

interface Options {
  readonly hooks?: Readonly<Record<string, object>>
  readonly config?: object
  readonly manifest?: object
}

/** An application with the plugin, whose tables are there, and which is not running. */
async function application(t: Test, { hooks = {}, config = {}, manifest }: Options = {}) {
  const database = await fresh(t)
  const dir = await mkdtemp(join(tmpdir(), 'plinth-webhooks-'))
  t.teardown(() => rm(dir, { recursive: true, force: true }))
  const settings = { ...quick, hooks, ...config }
  const files = {
    'config/plugins.json': { webhooks: { resolve: join(import.meta.dirname, '../src/index.ts'), config: settings } },
    'src/api/note/content-types/note/schema.json': note,
    ...(manifest !== undefined && { 'package.json': manifest }),
  }
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(dir, name)), { recursive: true })
    await writeFile(join(dir, name), JSON.stringify(content))
  }
  const serve = (more: object = {}) =>
    createKernel({
      dir,
      database: database.config,
      plugins: { webhooks: { plugin: webhooks, config: { ...settings, ...more } } },
      logger: { info() {}, warn() {}, error() {} },
    })
  const env = { ...database.env, NODE_ENV: 'test' }
  return {
    serve,
    database,
    plinth: (...words: string[]) => runHere(run, [...words, '--dir', dir], env),
  }
}

t.test('list, test and replay', async t => {
  const { url, port, all, answer, take } = await receive(t, response => void response.writeHead(500).end('no\u001b[1m'))
  const secret = 'a secret of sixteen'
  const headers = { Authorization: 'Bearer of-the-site' }
  const hooks = {
    site: { url, secret, headers },
    other: {
      url: 'https://user:pass@hooks.example.com/build/abc?key=1',
      enabled: false,
      types: [uid],
      as: { token: 'x' },
    },
  }
  const { plinth, serve } = await application(t, { hooks, config: { attempts: 2 } })
  t.match(await plinth('webhooks', 'list'), {
    code: 1,
    err: /(file .* does not exist|no tables of the plugin webhooks); start the server once/,
  })
  const kernel = await serve()
  await kernel.query(uid).create({ data: { n: 1 } })
  await kernel.query(uid).create({ data: { n: 2 } })
  await drained(kernel)
  await kernel.close()
  take()

  const { code, out, err } = await plinth('webhooks', 'list')
  t.equal(code, 0, err)
  t.match(
    out,
    new RegExp(
      `^site +http://127\\.0\\.0\\.1:${port}/… +0 +2 +signed +callers without credentials +entry\\.create`,
      'm',
    ),
  )
  t.match(out, /^other +https:\/\/hooks\.example\.com\/… +0 +0 +switched off +token x .*api::note\.note$/m)
  const json = await plinth('webhooks', 'list', '--json')
  t.match(JSON.parse(json.out), [
    { name: 'site', dead: 2, isSigned: true },
    { name: 'other', isEnabled: false },
  ])
  const dead = await plinth('webhooks', 'list', '--dead')
  t.match(dead.out, /^2 +site +entry\.create +api::note\.note 2 +\S+ +2 +answered with 500$/m)
  for (const text of [out, json.out, dead.out]) t.notMatch(text, /secret-path|sixteen|of-the-site|abc|key=|user|pass/)

  t.match(await plinth('webhooks', 'test', 'site'), {
    code: 1,
    out: '',
    err: /no \[1m[\s\S]*"site" was not delivered: answered with 500/,
  })
  answer(accept)
  take()
  t.match(await plinth('webhooks', 'test', 'site'), { code: 0, out: '"site" answered with 200\n', err: 'ok\n' })
  t.match(all, [
    { event: 'trigger-test', headers: { authorization: 'Bearer of-the-site', 'webhook-signature': /^v1,/ } },
  ])
  t.match(await plinth('webhooks', 'test', 'sit'), { code: 1, err: /There is no webhook "sit", did you mean "site"\?/ })
  t.match(await plinth('webhooks', 'test'), { code: 1, err: /the name of the webhook is missing/ })

  t.match(await plinth('webhooks', 'replay', '1'), { code: 0, out: '1 event waits to be sent again.\n' })
  t.match(await plinth('webhooks', 'replay', 'site'), { code: 0, out: '1 event waits to be sent again.\n' })
  t.match(await plinth('webhooks', 'replay', 'site'), { code: 1, err: /"site" has no dead letters/ })
  t.match(await plinth('webhooks', 'replay', '7'), { code: 1, err: /There is no dead letter 7/ })
  t.match((await plinth('webhooks', 'list')).out, /^site +\S+ +2 +0 /m)
  take()
  const again = await serve()
  await drained(again)
  await again.close()
  t.same(all.map(wordsOf), ['entry.create 1', 'entry.create 2'])
})

t.test('what waits for a webhook that is not configured any more', async t => {
  const { url } = await receive(t, () => {})
  const { plinth, serve } = await application(t)
  const kernel = await serve({ hooks: { gone: { url } } })
  await kernel.query(uid).create({ data: { n: 1 } })
  await kernel.close()
  t.match(await plinth('webhooks', 'list'), {
    code: 0,
    err: /There are no webhooks[\s\S]*"gone" is not configured, and has 1 waiting and 0 dead/,
  })
  t.match(await plinth('webhooks', 'list', '--dead'), { code: 0, out: '', err: /There are no dead letters/ })
  t.match(await plinth('webhooks', 'drop', 'gone'), { code: 0, out: 'Deleted 1 event.\n' })
  t.match(await plinth('webhooks', 'drop', 'gone'), {
    code: 1,
    err: /"gone" has nothing to send, and was not taken over/,
  })
})

/** Makes v4's table with these rows. */
async function storeInV4({ database }: Awaited<ReturnType<typeof application>>, rows: readonly (readonly unknown[])[]) {
  const opened = await database.open()
  await opened.run(
    'CREATE TABLE strapi_webhooks (id INTEGER PRIMARY KEY, name VARCHAR(255), url TEXT, headers TEXT, events TEXT, enabled INTEGER)',
  )
  for (const [i, row] of rows.entries()) {
    const values = row.map(value => (typeof value === 'number' ? value : `'${value}'`))
    await opened.run(`INSERT INTO strapi_webhooks VALUES (${[i + 1, ...values].join(', ')})`)
  }
  await opened.close()
}

t.test('webhooks of v4: the doctor lists them, a command takes them over', async t => {
  const { url, all } = await receive(t)
  const app = await application(t, {
    manifest: { dependencies: { '@strapi/strapi': '4.25.9' } },
    config: { stored: true },
  })
  const { plinth, serve } = app
  const first = await serve()
  await first.close()
  t.match(await plinth('webhooks', 'adopt'), {
    code: 1,
    err: /v4 has stored no webhooks: strapi_webhooks is missing or empty/,
  })
  await storeInV4(app, [
    ['Deploy the site!', url, '{"Authorization":"Bearer old"}', '["entry.create","media.create","unknown"]', 1],
    ['Old', 'https://old.example.com/hook/x', '{}', '["entry.delete"]', 0],
  ])
  const report = await plinth('doctor')
  t.match(
    report.out,
    /v4 has stored 2 webhooks, which `plinth webhooks adopt` takes over: Deploy the site! \(http:\/\/127\.0\.0\.1:\d+\/…; entry\.create, media\.create\), Old \(https:\/\/old\.example\.com\/…; entry\.delete; switched off\)\./,
  )
  t.notMatch(report.out, /Bearer old|secret-path/)

  const role = await plinth('webhooks', 'adopt', 'Old', '--role', 'editor')
  t.match(role, {
    code: 0,
    out: /^Took over old \(https:\/\/old/,
    err: /from their next start on[\s\S]*v4, if it still runs, calls them too/,
  })
  t.match(await plinth('webhooks', 'adopt', 'Odl'), {
    code: 1,
    err: /v4 has stored no webhook "Odl", did you mean "Old"\?/,
  })
  t.match(await plinth('webhooks', 'adopt', '--role', 'editor', '--token', 'site'), {
    code: 1,
    err: /--role and --token exclude each other/,
  })
  t.match(await plinth('webhooks', 'adopt'), { code: 0, out: /^Took over deploy-the-site \(/ })
  t.match(await plinth('webhooks', 'adopt'), { code: 1, err: /All of them were taken over before/ })
  t.match((await plinth('webhooks', 'list')).out, /^old .*switched off +role editor/m)

  const kernel = await serve()
  await kernel.query(uid).create({ data: { n: 1 } })
  await kernel.query(uid).delete(1)
  await drained(kernel)
  await kernel.close()
  t.match(all, [{ event: 'entry.create', headers: { authorization: 'Bearer old' } }])
  t.equal(all.length, 1)
  t.match(await plinth('webhooks', 'drop', 'old'), { code: 0, out: 'Deleted 0 events, and the webhook "old".\n' })
  await t.rejects(serve({ hooks: { 'deploy-the-site': { url } } }), {
    message: /webhooks\.config\.hooks\.deploy-the-site was taken over from v4, too/,
  })
})

t.test('settings that are wrong', async t => {
  const wrong: readonly (readonly [object, RegExp])[] = [
    [
      { allowAddresses: ['localhost'] },
      /allowAddresses\[0\]: expected an address or a range such as 10\.0\.0\.0\/8, found "localhost"/,
    ],
    [{ hooks: { site: { url: 'http://' } } }, /hooks\.site\.url is not a URL/],
    [{ hooks: { site: { url: 'ftp://a.com' } } }, /url/],
    [
      { hooks: { site: { url: 'http://a.com', headers: { 'a b': '1' } } } },
      /hooks\.site\.headers: "a b" is not a header/,
    ],
    [
      { hooks: { site: { url: 'http://a.com', headers: { a: '1\n2' } } } },
      /hooks\.site\.headers: "a" is not a header, or/,
    ],
    [{ hooks: { site: { url: 'http://a.com', secret: 'short' } } }, /secret/],
    [{ hooks: { site: { url: 'http://a.com', events: ['entry.crate'] } } }, /events/],
    [{ hooks: { site: { url: 'http://a.com', evnts: [] } } }, /evnts/],
    [{ timeout: 11 }, /webhooks\.config\.timeout/],
    [{ timeout: 0.5 }, /webhooks\.config\.timeout/],
  ]
  const { serve } = await application(t)
  for (const [config, message] of wrong) await t.rejects(serve(config), { message }, JSON.stringify(config))
})
