// Keeps which modules plugins bring for the panel, and serves their files.

import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { RegistrationError } from '@plinth/kernel'

/** A plugin's module for the panel. */
export interface StudioModule {
  /** The name of the plugin: lower-case letters, digits and `-`. */
  readonly name: string
  /** The ES module, a file on this machine: `new URL('../studio/colour.js', import.meta.url)`. */
  readonly module: URL | string
  /** Its styles, a file of CSS. */
  readonly styles?: URL | string
}

/** A file that is served. Its name contains a hash of its content. */
export interface ServedFile {
  readonly name: string
  readonly type: string
  readonly content: Buffer
}

/** The files of one plugin, as the page lists them for the panel. */
export interface ServedModule {
  readonly name: string
  readonly module: ServedFile
  readonly styles: ServedFile | null
}

/** The modules of plugins. */
export class PluginModules {
  readonly #modules = new Map<string, StudioModule>()

  /** Adds a module. Throws RegistrationError for a name that is taken or cannot be in an address. */
  add(module: StudioModule): void {
    const { name } = module
    if (!/^[a-z][a-z0-9-]*$/.test(name))
      throw new RegistrationError(
        'PLINTH_DEFINITION_INVALID',
        `studio: ${JSON.stringify(name)} is not the name of a plugin`,
      )
    if (this.#modules.has(name))
      throw new RegistrationError('PLINTH_DEFINITION_INVALID', `studio: the plugin ${name} has added a module already`)
    this.#modules.set(name, module)
  }

  /** Reads the files. Throws the error of the file system for one that is missing. */
  async read(): Promise<readonly ServedModule[]> {
    return Promise.all(
      [...this.#modules.values()].map(async ({ name, module, styles }) => ({
        name,
        module: await readServed(module, name, 'js'),
        styles: styles === undefined ? null : await readServed(styles, name, 'css'),
      })),
    )
  }
}

const types = { js: 'text/javascript; charset=utf-8', css: 'text/css; charset=utf-8' } as const

async function readServed(path: URL | string, plugin: string, extension: keyof typeof types): Promise<ServedFile> {
  const content = await readFile(path)
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 12)
  return { name: `${plugin}-${hash}.${extension}`, type: types[extension], content }
}
