// Finds and loads policies of an application: src/policies/<name> and src/api/<api>/policies/<name>, one level deep
// (B-10.51, B-13.5). A file is loaded only if an action names its policy.

import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { StartError } from '../errors.ts'
import { folders, importModule } from '../model/load.ts'
import type { Policy } from './policies.ts'
import { checkPolicy } from './policy-checks.ts'

/** A file of a policy. */
export interface PolicyFile {
  readonly path: string
  /** Relative to the application, for messages. */
  readonly file: string
}

/** The files of policies by the uids of the policies: `global::<file>` and `api::<api>.<file>`. */
export async function findPolicyFiles(dir: string): Promise<Map<string, PolicyFile>> {
  const found = new Map<string, PolicyFile>()
  const read = async (folder: string, prefix: string) => {
    if (!existsSync(folder)) return
    for (const name of (await readdir(folder)).sort()) {
      const [, bare] = /^(.+)(?<!\.d)\.(?:ts|js|mjs|cjs)$/.exec(name) ?? []
      const path = join(folder, name)
      if (bare !== undefined && !found.has(prefix + bare)) found.set(prefix + bare, { path, file: relative(dir, path) })
    }
  }
  await read(join(dir, 'src/policies'), 'global::')
  for (const api of await folders(join(dir, 'src/api')))
    await read(join(dir, 'src/api', api, 'policies'), `api::${api}.`)
  return found
}

/** The policy that a file exports. Throws StartError. */
export async function loadPolicy({ path, file }: PolicyFile): Promise<Policy> {
  const module = await importModule(path, file)
  const given = module.default ?? module
  // What a compiler made of `export default` for CommonJS.
  const policy =
    (given as { readonly __esModule?: unknown }).__esModule === true ? (given as { default?: unknown }).default : given
  checkPolicy(policy, fault => {
    throw new StartError('PLINTH_POLICY_INVALID', `${file}: ${fault}`)
  })
  return policy as Policy
}
