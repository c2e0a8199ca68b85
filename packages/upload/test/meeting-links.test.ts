// A link to a file, and a replacement of its content by what the attribute does not take, at the same time: one of them is
// refused, whichever comes first.

import type { Kernel } from '@plinth/kernel'
import { testClient } from '@plinth/test-tools/databases'
import t from 'tap'
import { fresh, picture, type Started, start } from './fixtures/boot.ts'

/** Waits until a line of the journal names files that are being stored. */
async function stores(server: Started) {
  while ((await server.kernel.knex('upload_journal').where({ state: 'storing' })).length === 0)
    await new Promise(resolve => setTimeout(resolve, 5))
}

/** Lets a hook of a test wait. */
class Gate {
  readonly #reached = Promise.withResolvers<void>()
  readonly #opened = Promise.withResolvers<void>()

  get reached(): Promise<void> {
    return this.#reached.promise
  }

  async pass(): Promise<void> {
    this.#reached.resolve()
    await this.#opened.promise
  }

  open(): void {
    this.#opened.resolve()
  }
}

for (const processes of [1, 2])
  t.test(`security.md row 54: a link and a replacement that exclude each other, ${processes} processes`, async t => {
    let replacing: Gate | null = null
    let linking: Gate | null = null
    let linkBegins = Promise.withResolvers<void>()
    const configure = ({ hooks }: Kernel) => {
      hooks.on('preWrite', { for: ({ uid }) => uid === 'plugin::upload.file', actions: ['update'] }, () =>
        replacing?.pass(),
      )
      hooks.on('preWrite', { for: ({ uid }) => uid === 'api::page.page', order: 'post' }, () => linkBegins.resolve())
      hooks.on('onWrite', { for: ({ uid }) => uid === 'api::page.page' }, () => linking?.pass())
    }
    const on = await fresh(t)
    const one = await start(t, { on, configure })
    const other = processes === 1 ? one : await start(t, { on, folder: one.folder, configure })
    const image = await picture(4, 4)
    const html = [{ name: 'files', filename: 'a.html', content: '<html><script>alert(1)</script></html>' }]
    const links = [
      (id: number) => ({ cover: id }),
      (id: number) => ({ slides: [{}, { image: { connect: [{ id }] } }] }),
      (id: number) => ({ zone: [{ __component: 'shared.seo', image: { set: [id] } }] }),
    ]
    for (const link of links) {
      const { id: page } = (await one.post('/api/pages', { data: { title: 'A' } })).body.data
      const where = JSON.stringify(link(1))
      const { id } = await one.uploaded('a.png', image)
      replacing = new Gate()
      linkBegins = Promise.withResolvers<void>()
      const replaced = one.form(`/api/upload?id=${id}`, html)
      await replacing.reached
      const linked = other.put(`/api/pages/${page}`, { data: link(id) })
      await linkBegins.promise
      replacing.open()
      replacing = null
      t.equal((await replaced).status, 200, `${where}: the replacement came first`)
      const refused = await linked
      t.match(refused, {
        status: 400,
        body: { error: { message: /takes only images; the file \d+ is of the type text\/html/ } },
      })
      const second = await one.uploaded('b.png', image)
      linking = new Gate()
      const linkedFirst = one.put(`/api/pages/${page}`, { data: link(second.id) })
      await linking.reached
      const replacedLater = other.form(`/api/upload?id=${second.id}`, html)
      // It has looked for links, and stores its content. With one writer it waits for the COMMIT of the link before.
      if (testClient() !== 'sqlite') await stores(one)
      linking.open()
      linking = null
      t.equal((await linkedFirst).status, 200, `${where}: the link came first`)
      const kept = await replacedLater
      t.match(kept, { status: 400, body: { error: { message: /takes only images, and links the file/ } } })
      t.match((await one.get(`/api/upload/files/${second.id}`)).body, { mime: 'image/png' })
      t.equal((await one.get(second.url)).headers.get('content-length'), String(image.length))
    }
    t.same(await one.kernel.knex('upload_journal'), [], 'nothing is left to be done')
  })
