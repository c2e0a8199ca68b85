// Finds and imports the policies of an application: src/policies/<name> and src/api/<api>/policies/<name>, one level deep
// (B-10.51, B-13.5). Does not know what a policy is.

import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { folders, importModule } from './modules.ts'

/** A file of a policy. */
export interface PolicyFile {
  readonly path: string
  /** Relative to the application, for messages. */
  readonly file: string
}

/** Finds the files of policies, by the uids of the policies: `global::<file>` and `api::<api>.<file>`. */
export async function findPolicyFiles(dir: string): Promise<Map<string, PolicyFile>> {
  const files = new Map<string, PolicyFile>()
  const read = async (folder: string, prefix: string) => {
    if (!existsSync(folder)) return
    for (const name of (await readdir(folder)).sort()) {
      const [, bare] = /^(.+)(?<!\.d)\.(?:ts|js|mjs|cjs)$/.exec(name) ?? []
      const path = join(folder, name)
      if (bare !== undefined && !files.has(prefix + bare)) files.set(prefix + bare, { path, file: relative(dir, path) })
    }
  }
  await read(join(dir, 'src/policies'), 'global::')
  for (const api of await folders(join(dir, 'src/api')))
    await read(join(dir, 'src/api', api, 'policies'), `api::${api}.`)
  return files
}

/** Imports the value that the file of a policy exports, without checking it. Throws StartError if it cannot be loaded. */
export async function importPolicy({ path, file }: PolicyFile): Promise<unknown> {
  const module = await importModule(path, file)
  const exported = module.default ?? module
  // Compilers to CommonJS set `__esModule`, and store the value of `export default` in `default`.
  const isCompiled = (exported as { readonly __esModule?: unknown }).__esModule === true
  return isCompiled ? (exported as { default?: unknown }).default : exported
}
