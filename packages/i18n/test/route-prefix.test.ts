// The path prefix of the content API applies to the routes of this plugin, whichever setting defines it.

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import rest from '@plinth/rest'
import t, { type Test } from 'tap'
import { type Started, start } from './fixtures/boot.ts'

/** The statuses of both kinds of routes below a prefix. */
async function statuses({ app, of }: Started, prefix: string): Promise<number[]> {
  const { id } = await of('page').create({ data: { title: 'a' } })
  const locales = await app.inject(`${prefix}/i18n/locales`)
  const payload = { locale: 'fr', title: 'b' }
  const translation = await app.inject({ method: 'POST', url: `${prefix}/pages/${id}/localizations`, payload })
  return [locales.statusCode, translation.statusCode]
}

/** A folder of an application with this prefix in config/api. */
async function folder(t: Test, prefix: string): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'plinth-i18n-'))
  t.teardown(() => rm(dir, { recursive: true, force: true }))
  await mkdir(join(dir, 'config'))
  await writeFile(join(dir, 'config/api.json'), JSON.stringify({ rest: { prefix } }))
  return dir
}

const configured = (prefix: string) => ({ rest: { plugin: rest, config: { prefix } } })

t.test('by default it is /api', async t => {
  t.same(await statuses(await start(t), '/api'), [200, 200])
})

t.test('a prefix in the settings of REST', async t => {
  const started = await start(t, { plugins: configured('/content') })
  t.same(await statuses(started, '/content'), [200, 200])
  t.same(await statuses(started, '/api'), [404, 405])
})

t.test('the settings of REST come before config/api', async t => {
  const started = await start(t, { dir: await folder(t, '/one'), plugins: configured('/two') })
  t.same(await statuses(started, '/two'), [200, 200])
  t.same(await statuses(started, '/one'), [404, 405])
})

t.test('config/api', async t => {
  t.same(await statuses(await start(t, { dir: await folder(t, '/content/') }), '/content'), [200, 200])
  t.same(await statuses(await start(t, { dir: await folder(t, '/') }), ''), [200, 200])
})

t.test('without REST it is that of config/api', async t => {
  const started = await start(t, { dir: await folder(t, '/content'), plugins: { rest: false } })
  t.equal((await started.app.inject('/content/i18n/locales')).statusCode, 200)
})
