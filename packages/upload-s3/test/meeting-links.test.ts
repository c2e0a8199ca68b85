// Links to a file and replacements of its content by what the attribute does not take, at once in two processes on one bucket:
// one of them is refused, and record, object and link agree.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import rest from '@plinth/rest'
import { createServer } from '@plinth/server'
import { freshDatabase, testClient } from '@plinth/test-tools/databases'
import upload from '@plinth/upload'
import t from 'tap'
import { storage } from './fixtures/storage.ts'

const pages = {
  kind: 'collectionType',
  collectionName: 'pages',
  info: { singularName: 'page', pluralName: 'pages', displayName: 'Page' },
  attributes: { cover: { type: 'media', multiple: false, allowedTypes: ['images'] } },
}
const svg = '<svg xmlns="http://www.w3.org/2000/svg"/>'

t.test('security.md row 54: a link and a replacement that exclude each other', async t => {
  const { s3, provider } = await storage(t)
  const database = await freshDatabase(testClient())
  const folder = await mkdtemp(join(tmpdir(), 'plinth-s3-links-'))
  t.teardown(async () => {
    await database.drop()
    await rm(folder, { recursive: true, force: true })
  })
  const startOne = async () => {
    const app = await createServer({
      database: database.config,
      contentTypes: [pages] as never,
      plugins: { rest: { plugin: rest }, upload: { plugin: upload, config: { folder, provider } } },
      logger: false,
    })
    t.teardown(() => app.close())
    return app.listen({ host: '127.0.0.1', port: 0 })
  }
  const [one, other] = [await startOne(), await startOne()]
  const send = async (url: string, name: string, content: string) => {
    const body = new FormData()
    body.append('files', new Blob([content]), name)
    return fetch(url, { method: 'POST', body })
  }
  const write = (url: string, method: string, data: object) =>
    fetch(url, { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify({ data }) })
  // biome-ignore lint/suspicious/noExplicitAny: an answer is JSON
  const read = async (answer: Response): Promise<any> => answer.json()
  const page = (await read(await write(`${one}/api/pages`, 'POST', {}))).data.id
  for (let round = 0; round < 6; round++) {
    const [{ id, hash, ext }] = await read(await send(`${one}/api/upload`, 'a.svg', svg))
    const linking = () => write(`${one}/api/pages/${page}`, 'PUT', { cover: id })
    const replacing = () => send(`${other}/api/upload?id=${id}`, 'a.html', `<html>${round}</html>`)
    const [first, second] = await Promise.all(round % 2 === 0 ? [linking(), replacing()] : [replacing(), linking()])
    t.same([first!.status, second!.status].sort(), [200, 400])
    const { mime } = await read(await fetch(`${one}/api/upload/files/${id}`))
    const { cover } = (await read(await fetch(`${one}/api/pages/${page}?populate=cover`))).data.attributes
    const isLinked = cover.data?.id === id
    t.equal(mime, isLinked ? 'image/svg+xml' : 'text/html')
    t.equal(String(await s3.read(`${hash}${ext}`)), isLinked ? svg : `<html>${round}</html>`)
  }
})
