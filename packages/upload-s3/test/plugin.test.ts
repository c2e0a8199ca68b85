// The provider in the plugin upload, on a server: from a form to an object, and back to nothing.

import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import rest from '@plinth/rest'
import { createServer } from '@plinth/server'
import { freshDatabase, testClient } from '@plinth/test-tools/databases'
import { S3StandIn } from '@plinth/test-tools/s3'
import upload from '@plinth/upload'
import t, { type Test } from 'tap'
import { MiB } from './fixtures/storage.ts'

/** A folder of this package, from which the plugin finds the provider by its name. */
const dir = import.meta.dirname

/** A server whose files are in a bucket. */
async function start(t: Test, settings: (s3: S3StandIn) => object) {
  const s3 = await S3StandIn.start()
  const database = await freshDatabase(testClient())
  const folder = await mkdtemp(join(tmpdir(), 'plinth-s3-server-'))
  t.teardown(async () => {
    await s3.close()
    await database.drop()
    await rm(folder, { recursive: true, force: true })
  })
  const app = await createServer({
    dir,
    database: database.config,
    contentTypes: [],
    plugins: { rest: { plugin: rest }, upload: { plugin: upload, config: { folder, ...settings(s3) } } },
    logger: false,
  })
  t.teardown(() => app.close())
  const base = await app.listen({ host: '127.0.0.1', port: 0 })
  const send = async (name: string, content: string | Buffer) => {
    const body = new FormData()
    body.append('files', new Blob([content as never]), name)
    const response = await fetch(`${base}/api/upload`, { method: 'POST', body })
    // biome-ignore lint/suspicious/noExplicitAny: an answer is JSON, tests match against it
    return { status: response.status, body: (await response.json()) as any }
  }
  const remove = async (id: number) => (await fetch(`${base}/api/upload/files/${id}`, { method: 'DELETE' })).status
  return { s3, send, remove, folder }
}

t.test('files are stored and removed', async t => {
  const { s3, send, remove, folder } = await start(t, s3 => ({
    provider: 's3',
    providerOptions: { ...s3.options, prefix: 'site', maxAttempts: 1 },
  }))
  const small = await send('note.txt', 'hello')
  t.equal(small.status, 200)
  const [{ id, hash, url, provider }] = small.body
  t.match({ url, provider }, { url: `${s3.endpoint}/files/site/${hash}.txt`, provider: 's3' })
  t.equal(String(await s3.read(`site/${hash}.txt`)), 'hello')
  t.equal(s3.object(`site/${hash}.txt`)!.headers['content-type'], 'text/plain')
  const large = await send('large.txt', Buffer.alloc(12 * MiB, 'text '))
  t.equal(s3.object(`site/${large.body[0].hash}.txt`)!.size, 12 * MiB)
  t.equal(await remove(id), 200)
  t.equal(await remove(large.body[0].id), 200)
  t.same([s3.keys, s3.unfinished], [[], []])
  s3.faults.add('PutObject', { status: 500, code: 'InternalError' })
  const failed = await send('note.txt', 'hello')
  t.match(failed, { status: 503, body: { error: { message: 'Service Unavailable' } } })
  s3.faults.add('PutObject', { status: 403, code: 'AccessDenied' })
  const refused = await send('note.txt', 'hello')
  t.match(refused, { status: 500, body: { error: { message: 'Internal Server Error' } } }, 'only the log tells why')
  t.same(s3.keys, [])
  const left = await readdir(folder, { recursive: true })
  t.same(
    left.filter(name => name !== '.unfinished'),
    [],
  )
})

t.test('with the settings of v4 the records name the provider as v4 does', async t => {
  const { s3, send } = await start(t, ({ options, credentials, bucket }) => ({
    provider: '@strapi/provider-upload-aws-s3',
    actionOptions: { upload: {}, delete: {} },
    providerOptions: {
      baseUrl: 'https://cdn.example.com',
      s3Options: {
        ...credentials,
        region: options.region,
        endpoint: options.endpoint,
        forcePathStyle: true,
        params: { Bucket: bucket },
      },
    },
  }))
  const { body } = await send('page.html', '<!doctype html><p>x</p>')
  const [{ hash, ext, url, provider }] = body
  t.match({ url, provider }, { url: `https://cdn.example.com/${hash}${ext}`, provider: 'aws-s3' })
  t.match(s3.object(`${hash}${ext}`)!.headers, { 'content-disposition': 'attachment', 'x-amz-acl': 'public-read' })
})

t.test('wrong options stop the start', async t => {
  const started = start(t, ({ options }) => ({ provider: 's3', providerOptions: { ...options, buckt: 'x' } }))
  const message = 'config/plugins: upload.config.providerOptions.buckt: is not known, did you mean "bucket"?'
  await t.rejects(started, { code: 'PLINTH_PLUGIN_CONFIG', message: new RegExp(message.replaceAll(/[.?/]/g, '\\$&')) })
})
