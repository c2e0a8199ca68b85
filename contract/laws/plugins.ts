// Finds the plugins of this repository.

import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Plugin } from '@plinth/kernel'

const packages = join(import.meta.dirname, '../../packages')

/** Returns the plugins of the packages by their names: those whose module has one as its default export. */
export async function pluginsOf(): Promise<ReadonlyMap<string, Plugin>> {
  const plugins = new Map<string, Plugin>()
  for (const folder of (await readdir(packages)).sort()) {
    const manifest = JSON.parse(await readFile(join(packages, folder, 'package.json'), 'utf8'))
    if (!existsSync(join(packages, folder, 'src/index.ts')) || manifest.private === true) continue
    const module: { readonly default?: Partial<Plugin> } = await import(join(packages, folder, 'src/index.ts'))
    const plugin = module.default
    if (plugin?.plinth !== undefined) plugins.set(plugin.plinth.name, plugin as Plugin)
  }
  return plugins
}
