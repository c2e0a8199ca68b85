// The pictures of the magazine: one for each beat, drawn, and stored by the plugin for files, which makes their formats.
// Without it there are none.

import type { Entry, Kernel } from '@plinth/kernel'
import type {} from '@plinth/upload'
import { drawScene, type Scene } from './draw.ts'
import type { Id } from './id.ts'
import type { CategoryEntry } from './magazine.ts'

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

/** Stores pictures, except for those that an interrupted seed has stored, and remembers which ones it stored. */
export class PictureStore {
  readonly #kernel: Kernel
  readonly #made = new Set<Id>()

  constructor(kernel: Kernel) {
    this.#kernel = kernel
  }

  /** The pictures, after they were stored. Throws UnavailableError if another process locks the database. */
  async store(pictures: readonly PictureEntry[]): Promise<Pictures> {
    if (this.#kernel.contentTypes.get(fileUid) === undefined) return new Map()
    const filters = { name: { $in: pictures.map(one => one.name) } }
    const present = await this.#kernel.query(fileUid).findMany({ filters, sort: 'id', pagination: { limit: 100 } })
    const ids = new Map(present.map(({ name, id }) => [name as string, id]))
    const missing = pictures.filter(({ name }) => !ids.has(name))
    for (const { name, id } of await this.#make(missing)) {
      ids.set(name as string, id)
      this.#made.add(id)
    }
    return new Map(pictures.flatMap(({ of, name }) => (ids.has(name) ? [[of, ids.get(name)!] as const] : [])))
  }

  /** Removes what it has stored and nobody uses, because another process has filled the database. */
  async removeUnused(): Promise<void> {
    if (this.#made.size === 0) return
    const query = this.#kernel.query(fileUid)
    const filters = { id: { $in: [...this.#made] } }
    const files = await query.findMany({ filters, populate: 'related', pagination: { limit: 100 } })
    for (const { id, related } of files) if ((related as unknown[]).length === 0) await query.delete(id)
  }

  async #make(pictures: readonly PictureEntry[]): Promise<readonly Entry[]> {
    if (pictures.length === 0) return []
    const files = pictures.map(({ name, scene }) => ({ name, content: drawScene(scene) }))
    const fileInfo = pictures.map(({ name, alternativeText }) => ({ name, alternativeText }))
    return this.#kernel.plugin('upload').service('upload').upload({ files, data: { fileInfo } })
  }
}
