// The pictures of the magazine: one for each beat, drawn, and uploaded as a client would do it, so that formats are made of
// them. Without the plugin for files there are none.

import { randomUUID } from 'node:crypto'
import { tokensOf } from '@plinth/api-tokens'
import { type Kernel, UnavailableError } from '@plinth/kernel'
import { apiPrefix } from '@plinth/server/transport'
import type { FastifyInstance } from 'fastify'
import { drawScene, type Scene } from './draw.ts'
import type { CategoryEntry } from './magazine.ts'
import type { Id } from './shapes.ts'

/** The ids of the pictures, by the slugs of their categories. */
export type Pictures = ReadonlyMap<string, Id>

/** A picture that is not drawn yet. */
export interface PictureEntry {
  /** The slug of the category that it is for. */
  of: string
  name: string
  alternativeText: string
  scene: Scene
}

const fileUid = 'plugin::upload.file'
const uploading = 'plugin::upload.content-api.upload'

/** Large enough for all formats. */
const size = { width: 1200, height: 800 }

/** One picture for each category with a parent, in the colour of its topic. */
export function makePictures(categories: readonly CategoryEntry[]): PictureEntry[] {
  return categories
    .filter(({ parent }) => parent !== null)
    .map(({ data: { name, slug, colour } }, index) => ({
      of: slug,
      name: `${slug}.png`,
      alternativeText: `Hills under a low sun, for ${name.toLowerCase()}`,
      scene: { ...size, colour, seed: index + 1 },
    }))
}

/** Uploads pictures, except for those that an interrupted seed has uploaded, and remembers which ones it uploaded. */
export class PictureStore {
  readonly #app: FastifyInstance
  readonly #uploaded = new Set<Id>()

  constructor(app: FastifyInstance) {
    this.#app = app
  }

  /** The pictures, after they were uploaded. Throws UnavailableError if another process locks the database. */
  async store(pictures: readonly PictureEntry[]): Promise<Pictures> {
    const { kernel } = this.#app
    if (kernel.contentTypes.get(fileUid) === undefined) return new Map()
    const filters = { name: { $in: pictures.map(one => one.name) } }
    const present = await kernel.query(fileUid).findMany({ filters, sort: 'id', pagination: { limit: 100 } })
    const ids = new Map(present.map(({ name, id }) => [name as string, id]))
    const missing = pictures.filter(({ name }) => !ids.has(name))
    for (const { name, id } of await this.#upload(missing)) {
      ids.set(name, id)
      this.#uploaded.add(id)
    }
    return new Map(pictures.flatMap(({ of, name }) => (ids.has(name) ? [[of, ids.get(name)!] as const] : [])))
  }

  /** Removes what it has uploaded and nobody uses, because another process has filled the database. */
  async removeUnused(): Promise<void> {
    if (this.#uploaded.size === 0) return
    const query = this.#app.kernel.query(fileUid)
    const filters = { id: { $in: [...this.#uploaded] } }
    const found = await query.findMany({ filters, populate: 'related', pagination: { limit: 100 } })
    for (const { id, related } of found) if ((related as unknown[]).length === 0) await query.delete(id)
  }

  async #upload(pictures: readonly PictureEntry[]): Promise<{ id: Id; name: string }[]> {
    if (pictures.length === 0) return []
    const form = new FormData()
    for (const { name, scene, alternativeText } of pictures) {
      form.append('files', new Blob([new Uint8Array(drawScene(scene))], { type: 'image/png' }), name)
      form.append('fileInfo', JSON.stringify({ name, alternativeText }))
    }
    const body = new Response(form)
    const payload = Buffer.from(await body.arrayBuffer())
    return withKey(this.#app.kernel, async authorization => {
      const headers = { 'content-type': body.headers.get('content-type')!, ...authorization }
      const url = `${apiPrefix(this.#app.kernel)}/upload`
      const reply = await this.#app.inject({ method: 'POST', url, headers, payload })
      if (reply.statusCode === 503) throw new UnavailableError('The pictures could not be stored')
      // Without the plugin for API tokens the seed has no right to upload, and the magazine no pictures.
      if (reply.statusCode === 403) return []
      if (reply.statusCode !== 200) throw new Error(`The pictures could not be uploaded: ${reply.body}`)
      return reply.json()
    })
  }
}

/** Works with an API token that may upload, and does not outlive the work. */
async function withKey<T>(kernel: Kernel, work: (headers: Readonly<Record<string, string>>) => Promise<T>): Promise<T> {
  if (kernel.contentTypes.get('admin::api-token') === undefined) return work({})
  const tokens = tokensOf(kernel)
  const token = await tokens.create({
    name: `seed ${randomUUID()}`,
    type: 'custom',
    permissions: [uploading],
    // If the process is killed.
    lifespan: 7 * 86_400_000,
  })
  try {
    return await work({ authorization: `Bearer ${token.accessKey}` })
  } finally {
    await tokens.revoke(token.id)
  }
}
