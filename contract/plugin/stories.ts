/** The model of the fixture plugin's tests: stories on shelves, and a single type `editorial`. */

import type { Kernel, PluginsConfig } from '@plinth/kernel'
import type { Measured } from 'plinth-plugin-reading-time'
import type { Test } from 'tap'
import { boot, type Client, client, type Entry } from '../boot.ts'

export const words = (count: number) => Array.from({ length: count }, () => 'word').join(' ')
export const info = (name: string, plural: string) => ({ singularName: name, pluralName: plural, displayName: name })
export const titles = (entries: readonly Entry[]) => entries.map(({ attributes }) => attributes.title)

export const contentTypes = [
  {
    info: info('story', 'stories'),
    options: { readingTime: 'text' },
    attributes: {
      title: { type: 'string', required: true },
      text: { type: 'text' },
      pauses: { type: 'pauses' },
      shelf: { type: 'relation', relation: 'manyToOne', target: 'api::shelf.shelf', inversedBy: 'stories' },
    },
  },
  {
    info: info('shelf', 'shelves'),
    attributes: {
      label: { type: 'string' },
      about: { type: 'richtext' },
      stories: { type: 'relation', relation: 'oneToMany', target: 'api::story.story', mappedBy: 'shelf' },
    },
  },
  {
    kind: 'singleType',
    info: info('editorial', 'editorials'),
    options: { readingTime: 'text' },
    attributes: { title: { type: 'string' }, text: { type: 'text' } },
  },
]

export interface Started {
  readonly api: Client
  readonly kernel: Kernel
  readonly measured: Measured[]
  readonly statements: string[]
}

interface Options {
  readonly config?: Record<string, unknown>
  readonly configure?: (kernel: Kernel) => void
  /** Further plugins. */
  readonly plugins?: PluginsConfig
}

/** A server with REST and the plugin. It collects the readings that are measured, and all statements. */
export async function start(t: Test, { config = {}, configure: listen, plugins }: Options = {}): Promise<Started> {
  const measured: Measured[] = []
  const statements: string[] = []
  const app = await boot(t, {
    dir: undefined,
    contentTypes,
    plugins: { rest: true, 'reading-time': { config }, ...plugins },
    configure(kernel) {
      kernel.hooks.on('readingTime:measured', one => void measured.push(one))
      kernel.hooks.on('onStatement', text => void statements.push(text))
      listen?.(kernel)
    },
  })
  return { api: client(app), kernel: app.kernel, measured, statements }
}
