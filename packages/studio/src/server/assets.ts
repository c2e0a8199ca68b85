// Serves the files of the panel, which build-panel.mjs makes. Their names contain a hash of their content, so that browsers
// keep them for good.

import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

const folder = fileURLToPath(new URL('../../lib', import.meta.url))

const mediaTypes: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.woff2': 'font/woff2',
}

/** The files that build-panel.mjs has built, as its manifest.json lists them. */
export interface PanelManifest {
  /** The module that starts the panel. */
  readonly main: string
  /** Modules that the first one imports, for the browser to fetch at once. */
  readonly preloads: readonly string[]
  readonly styles: string
  readonly font: string
  readonly icon: string
  /** The modules that plugins import by name. */
  readonly imports: Readonly<Record<string, string>>
  readonly files: readonly string[]
}

/** A file of the panel. */
export interface Asset {
  readonly type: string
  readonly content: Buffer
  /** Null where compression gains nothing. */
  readonly compressed: Buffer | null
}

/** The manifest of the panel; null if it was not built. */
export async function readManifest(): Promise<PanelManifest | null> {
  const text = await readFile(join(folder, 'manifest.json'), 'utf8').catch(() => null)
  return text === null ? null : (JSON.parse(text) as PanelManifest)
}

const compress = promisify(gzip)

/** The files of the panel. Each is read and compressed when it is first asked for, and kept. */
export class Assets {
  readonly #names: ReadonlySet<string>
  readonly #loaded = new Map<string, Promise<Asset>>()

  constructor(manifest: PanelManifest) {
    this.#names = new Set(manifest.files)
  }

  /** The file with that name; null if the panel has none. */
  async find(name: string): Promise<Asset | null> {
    if (!this.#names.has(name)) return null
    let asset = this.#loaded.get(name)
    if (asset === undefined) {
      asset = load(name)
      this.#loaded.set(name, asset)
      asset.catch(() => this.#loaded.delete(name))
    }
    return asset
  }
}

async function load(name: string): Promise<Asset> {
  const content = await readFile(join(folder, name))
  const extension = extname(name)
  const isCompressed = extension === '.woff2'
  return {
    type: mediaTypes[extension] ?? 'application/octet-stream',
    content,
    compressed: isCompressed ? null : await compress(content, { level: 9 }),
  }
}
