// The stored files for exports and imports: the service `transfer`.

import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import t from 'tap'
import { picture, start } from './fixtures/boot.ts'

/** A provider that keeps files in memory. */
function memory() {
  const files = new Map<string, string>()
  return {
    files,
    name: 'memory',
    store: async ({ key, mime, stream }: { key: string; mime: string; stream: Readable }) =>
      void files.set(key, `${mime}: ${await text(stream)}`),
    remove: async (key: string) => void files.delete(key),
    urlOf: (key: string) => `https://files.example.com/${key}`,
    open: async (key: string) => Readable.from([files.get(key)!]),
  }
}

t.test('files of a record', async t => {
  const { kernel, stored } = await start(t)
  const service = kernel.plugin('upload').service('upload')
  const [record] = await service.upload({ files: { name: 'a.png', content: await picture(600, 400) } })
  const transfer = kernel.plugin('upload').service('transfer')
  const keys = transfer.keysOf(record!)
  t.equal(keys.length, 3, 'with its formats')
  for (const key of keys) t.ok((await transfer.open(record!, key)).readable)
  await t.rejects(transfer.open(record!, 'missing.png'), { code: 'ENOENT' })
  t.same(transfer.keysOf({ ...record, provider: 'elsewhere' }), [], 'of a provider that is not enabled')
  await t.rejects(transfer.open({ ...record, provider: 'elsewhere' }, keys[0]!), {
    code: 'PLINTH_UPLOAD_PROVIDER',
    message: 'The upload provider "elsewhere" is not enabled',
  })
  t.same([transfer.accepts(keys[0]!), transfer.accepts('../a.png'), transfer.accepts('.env')], [true, false, false])
  await transfer.remove({ ...record, provider: 'elsewhere' })
  t.equal((await stored()).length, 3)
  await transfer.remove({ ...record, hash: '../../evil', formats: { small: { hash: '.env', ext: '' } } })
  await transfer.remove(record!)
  t.equal((await stored()).length, 0)
})

t.test('files go to the provider of the settings', async t => {
  const provider = memory()
  const { kernel } = await start(t, { config: { provider } })
  const transfer = kernel.plugin('upload').service('transfer')
  await transfer.store('a.txt', Readable.from(['text']), 4, new AbortController().signal)
  await transfer.store('b', Readable.from(['bytes']), 5, new AbortController().signal)
  t.same(
    [...provider.files],
    [
      ['a.txt', 'text/plain: text'],
      ['b', 'application/octet-stream: bytes'],
    ],
  )
  const formats = { small: { hash: 'small_a', ext: '.png', url: '/uploads/small_a.png', width: 5 } }
  const row = { id: 1, hash: 'a', ext: '.png', url: '/uploads/a.png', provider: 'local', formats }
  t.same(transfer.relocate(row), {
    ...row,
    url: 'https://files.example.com/a.png',
    provider: 'memory',
    formats: { small: { ...formats.small, url: 'https://files.example.com/small_a.png' } },
  })
  t.match(transfer.relocate({ ...row, formats: null }), { formats: null })
  t.match(transfer.relocate({ ...row, formats: { small: null } }), { formats: { small: null } })
})
