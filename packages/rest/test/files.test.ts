// Files in multipart bodies (B-4.80): a plugin takes them, and they are read when the caller may do the action.

import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { mkdtemp, readdir, rm, unlink } from 'node:fs/promises'
import type { AddressInfo, Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { type Access, definePlugin, eq, type Kernel, perRequest, ValidationError } from '@plinth/kernel'
import t, { type Test } from 'tap'
import type { FileBatch, FilePart, FileWrite } from '../src/index.ts'
import { start, type } from './fixtures/boot.ts'
import { begin, contentType, encode, type Part, pump } from './fixtures/multipart.ts'

const many = (relation: string) => ({ type: 'relation', relation, target: 'api::file.file' })
const contentTypes = [
  type('file', { name: { type: 'string' }, stored: { type: 'string' } }),
  type('post', {
    label: { type: 'string', unique: true },
    cover: many('oneToOne'),
    gallery: many('manyToMany'),
    parts: { type: 'component', component: 'basic.part', repeatable: true },
  }),
  { ...type('about', { label: { type: 'string' }, cover: many('oneToOne') }), kind: 'singleType' },
]
const components = {
  'basic.part': {
    collectionName: 'components_basic_parts',
    info: { displayName: 'Part' },
    attributes: { image: many('oneToOne') },
  },
}

interface Taken {
  readonly path: string
  readonly filename: string
  readonly file: string
}

/** Stores files in a folder, and their records as entries: what a plugin for uploads does, without its care. */
class Batch implements FileBatch {
  readonly #kernel: Kernel
  readonly #folder: string
  readonly #taken: Taken[] = []
  #isWritten = false

  constructor(kernel: Kernel, folder: string) {
    this.#kernel = kernel
    this.#folder = folder
  }

  async take(path: string, { filename, stream }: FilePart): Promise<void> {
    if (path.startsWith('label')) throw new ValidationError(`${path} is no media attribute`)
    const file = join(this.#folder, randomUUID())
    this.#taken.push({ path, filename, file })
    await pipeline(stream, createWriteStream(file))
  }

  async write<T>(data: Record<string, unknown>, write: (data: Record<string, unknown>) => Promise<T>): Promise<T> {
    const result = await this.#kernel.transaction(async () => {
      const full = structuredClone(data)
      for (const { path, filename, file } of this.#taken) {
        const { id } = await this.#kernel.query('api::file.file').create({ data: { name: filename, stored: file } })
        const [, list, place] = /^parts(\[(\d+)\]|\.\d+)\.image$/.exec(path) ?? []
        if (list === undefined) full[path] = path === 'gallery' ? [...((full[path] as object[]) ?? []), id] : id
        else (full.parts as Record<string, unknown>[])[Number(place ?? list.slice(1))]!.image = id
      }
      return write(full)
    })
    this.#isWritten = true
    return result
  }

  async close(): Promise<void> {
    if (!this.#isWritten) for (const { file } of this.#taken) await unlink(file)
  }
}

async function boot(t: Test, options: { readonly file?: string | number; readonly isClosing?: boolean } = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'plinth-files-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  const opened: FileWrite[] = []
  const plugin = definePlugin({
    name: 'files',
    register({ kernel }) {
      const open = (write: FileWrite) => {
        opened.push(write)
        const batch = new Batch(kernel, folder)
        if (options.isClosing === false) batch.close = async () => Promise.reject(new TypeError('the disk is gone'))
        return batch
      }
      kernel.services.provide('rest', 'files', { open })
      kernel.auth.use({
        name: 'rights',
        authenticate({ headers }): Access {
          const rights = String(headers.authorization ?? 'api::post.post.create api::post.post.update').split(' ')
          return { key: rights.join(), user: null, can: scope => rights.includes(scope) || rights.includes('all') }
        },
      })
      kernel.hooks.on('prePlan', { for: ({ uid }) => uid === 'api::post.post' }, (draft, access) => {
        if (draft.stage === 'target' && access.can('only-first'))
          draft.where(
            eq(
              'id',
              perRequest(() => 1),
            ),
          )
      })
    },
  })
  const body = options.file === undefined ? {} : { body: { formidable: { maxFileSize: options.file } } }
  const plugins = { files: { plugin } }
  const { app, kernel, of } = await start(t, { contentTypes, components, plugins, config: body })
  const stored = () => readdir(folder)
  const send = async (parts: readonly Part[] | Buffer, url = '/api/posts', authorization = 'all') => {
    const payload = Buffer.isBuffer(parts) ? parts : encode(parts)
    const headers = { 'content-type': contentType, authorization }
    const method = /\d$|about/.test(url) ? 'PUT' : 'POST'
    const answer = await app.inject({ method, url, headers, payload })
    return { status: answer.statusCode, body: answer.json(), text: answer.payload }
  }
  const listen = async () => {
    await app.listen({ host: '127.0.0.1', port: 0 })
    return (app.server.address() as AddressInfo).port
  }
  return { app, kernel, of, stored, send, listen, opened }
}

t.test('files reach the plugin that takes them', async t => {
  const { of, send, stored, opened } = await boot(t)
  const made = await send(
    [
      ['files.cover', 'a', 'a.png'],
      ['files.gallery', 'b', 'b.png'],
      ['data', '{"label":"x","parts":[{},{}]}'],
      ['files.gallery', 'c', 'c.png'],
      ['files.parts[0].image', 'd', 'd.png'],
      ['files.parts.1.image', 'e', 'e.png'],
      ['files.other', '', ''],
    ],
    '/api/posts?populate[gallery]=*&populate[cover]=*&populate[parts][populate]=*',
  )
  t.equal(made.status, 200, made.text)
  const named = (name: string) => ({ data: { attributes: { name } } })
  t.match(made.body.data.attributes, {
    label: 'x',
    cover: named('a.png'),
    gallery: { data: [named('b.png').data, named('c.png').data] },
    parts: [{ image: named('d.png') }, { image: named('e.png') }],
  })
  t.equal((await stored()).length, 5)
  t.match(opened, [{ type: { uid: 'api::post.post' }, action: 'create' }])
  t.equal(
    (
      await send(
        [
          ['files.cover', 'f', 'f.png'],
          ['data', '{}'],
        ],
        '/api/posts/1',
      )
    ).status,
    200,
  )
  t.match(await of('post').findOne(1, { populate: { cover: true } }), { cover: { name: 'f.png' } })
  t.match(opened[1], { action: 'update', context: { access: { key: 'all' } } })
  const about = [
    ['data', '{"label":"y"}'],
    ['files.cover', 'g', 'g.png'],
  ] as const
  t.match((await send(about, '/api/about?populate=cover')).body.data.attributes.cover, named('g.png'))
  t.match(opened[2], { type: { uid: 'api::about.about' }, action: 'update' })
})

t.test('a write that fails leaves no file', async t => {
  const { of, send, stored } = await boot(t, { file: '10kb' })
  const file: Part = ['files.cover', 'a', 'a.png']
  const data: Part = ['data', '{"label":"x"}']
  t.equal((await send([data])).status, 200)
  const failed: [readonly Part[] | Buffer, status: number, words: RegExp, url?: string][] = [
    [[file, data], 400, /must be unique/],
    [[file, ['data', '{"label":1,"cover":"?"}']], 400, /label/],
    [[file], 400, /Missing \\"data\\"/],
    [[file, ['data', '"x"']], 400, /only supports object/],
    [[['data', '{"label":'], file], 400, /SyntaxError/],
    [[file, ['data', '{}'], ['data', '{}']], 400, /more than once/],
    [[file, ['files.label', 'a', 'a.png'], ['data', '{}']], 400, /files\.label|no media/],
    [[file, ['cover', 'a', 'a.png'], ['data', '{}']], 400, /prefixing them with the 'files'/],
    [[file, ['files.gallery', 'x'.repeat(10 * 1024 + 1), 'a.png'], ['data', '{}']], 413, /FileTooBig/],
    [encode([file, ['data', '{}']], ''), 400, /Invalid multipart body/],
    [[file, ['data', '{}']], 404, /Not Found/, '/api/posts/77'],
    [[file, ['data', '{}']], 400, /Invalid parameter no/, '/api/posts?filters[no]=x'],
  ]
  for (const [parts, status, words, url] of failed) {
    const answer = await send(parts, url)
    t.equal(answer.status, status, String(words))
    t.match(answer.text, words)
    t.same(await stored(), [])
  }
  t.equal((await send([file, ['data', '{}']], '/api/posts/1', 'api::post.post.create')).status, 403)
  t.equal((await send([file, ['data', '{}']], '/api/posts/1', 'api::post.post.update only-first')).status, 200)
  await of('post').create({ data: { label: 'second' } })
  t.equal((await send([file, ['data', '{}']], '/api/posts/2', 'api::post.post.update only-first')).status, 404)
  t.equal((await stored()).length, 1)
  t.equal(await of('file').count(), 1, 'nor a record')
  t.equal(await of('post').count(), 2)
})

t.test('what fails after the entry was written does not fail the answer', async t => {
  const { send } = await boot(t, { isClosing: false })
  t.equal((await send([['data', '{"label":"x"}']])).status, 200)
  t.match(await send([['data', '[]x']]), { status: 400, body: { error: { name: 'SyntaxError' } } })
})

t.test('a body is not read before the right to the action', async t => {
  const { app, stored, listen, opened } = await boot(t)
  const port = await listen()
  const size = 100 * 1024 * 1024
  const answerTo = async (url: string, method = 'POST', authorization = 'api::post.post.update'): Promise<string> => {
    const socket = begin(t, { port, url, method, size, headers: `Authorization: ${authorization}\r\n` })
    const answer = once(socket, 'data')
    const pumped = pump(socket, size - 10_000)
    const text = String((await answer)[0])
    t.ok(socket.bytesWritten < size / 2, `${method} ${url}: the answer arrives while the client is sending`)
    t.same(await stored(), [], 'and nothing is stored')
    await pumped
    socket.destroy()
    return text
  }
  t.match(await answerTo('/api/posts'), /^HTTP\/1.1 403 /)
  t.match(await answerTo('/api/about', 'PUT'), /^HTTP\/1.1 403 /)
  // Unknown paths are 405 for methods other than GET (B-1.32).
  t.match(await answerTo('/api/nothing'), /^HTTP\/1.1 405 /)
  t.match(await answerTo('/api/posts/1', 'POST'), /^HTTP\/1.1 405 /)
  t.match(await answerTo('/api/posts/1', 'PUT'), /^HTTP\/1.1 404 /)
  t.match(await answerTo('/api/posts/x', 'PUT'), /^HTTP\/1.1 404 /)
  t.match(await answerTo('/api/posts?filters[no]=x', 'POST', 'all'), /^HTTP\/1.1 400 /)
  t.equal(opened.length, 0)
  t.equal((await app.inject('/_health')).statusCode, 204)
})

t.test('a client that goes leaves no file', async t => {
  const { of, stored, listen } = await boot(t)
  const port = await listen()
  const sockets: Socket[] = []
  for (let i = 0; i < 20; i++) {
    const socket = begin(t, { port, url: '/api/posts', size: 1_000_000 })
    socket.write('x'.repeat(100_000))
    sockets.push(socket)
  }
  while ((await stored()).length < sockets.length) await wait(10)
  for (const socket of sockets) socket.destroy()
  const began = performance.now()
  while ((await stored()).length > 0 && performance.now() - began < 5000) await wait(10)
  t.same(await stored(), [])
  t.equal(await of('post').count(), 0)
})
