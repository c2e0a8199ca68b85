// Finds files below src/ that look like parts of the model but are not read, because of their folder or their name. A
// content type in the wrong place would be missing without any message. Does not read the files.

import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { typoOf } from '../model/typo.ts'

const schemaPlace = 'src/api/<api>/content-types/<name>/schema.json'
const componentPlace = 'src/components/<category>/<name>.json'
const extensionPlace = 'src/extensions/<plugin>/content-types/<name>/schema.json'

/** Extensions of files that describe types here or in other products. */
const described = /\.(?:json|jsonc|json5|ya?ml|toml)$/
const moduleFile = /(?<!\.d)\.(?:ts|js|mjs|cjs)$/

/** Returns a sentence for each file or folder below `src` that is not read, sorted by path. */
export async function findMisplaced(dir: string): Promise<string[]> {
  const places: readonly (readonly [folder: string, faultOf: (parts: readonly string[]) => string | null])[] = [
    ['api', ofApi],
    ['components', ofComponents],
    ['extensions', ofExtensions],
  ]
  const messages = await misplacedInSource(dir)
  for (const [folder, faultOf] of places)
    for (const path of await filesBelow(join(dir, 'src', folder))) {
      const fault = faultOf(path.split('/'))
      if (fault !== null) messages.push(`src/${folder}/${path}: is not read; ${fault}`)
    }
  return messages.sort()
}

/** Returns sentences for files and folders directly in `src`. Only folders that contain JSON files may be meant as those of the model. */
async function misplacedInSource(dir: string): Promise<string[]> {
  const entries = await readdir(join(dir, 'src'), { withFileTypes: true }).catch(() => [])
  const names = entries.map(one => one.name)
  const messages: string[] = []
  for (const { name } of entries.filter(one => one.isDirectory())) {
    const meant = typoOf(name, ['api', 'components', 'extensions'])
    const isTypo = meant !== null && !names.includes(meant)
    if (!isTypo && name !== 'content-types') continue
    const files = await filesBelow(join(dir, 'src', name))
    if (!files.some(path => described.test(path))) continue
    messages.push(
      `src/${name}: is not read${isTypo ? `, did you mean src/${meant}?` : `; a schema must be ${schemaPlace}`}`,
    )
  }
  for (const { name } of entries.filter(one => one.isFile() && moduleFile.test(one.name))) {
    const meant = typoOf(stemOf(name), ['index'])
    if (meant !== null)
      messages.push(`src/${name}: is not read, did you mean src/${meant}${name.slice(name.indexOf('.'))}?`)
  }
  return messages
}

/** `parts` are those of the path below src/api. */
function ofApi(parts: readonly string[]): string | null {
  const [, folder = '', ...rest] = parts
  const name = parts.at(-1)!
  const isSchema = stemOf(name) === 'schema' && (described.test(name) || moduleFile.test(name))
  if (folder === 'content-types' && rest.length <= 2) return ofContentTypes(rest)
  const isMeant = typoOf(folder, ['content-types']) !== null && (isSchema || described.test(name))
  if (isMeant) return `the folder must be called content-types, not ${folder}`
  // Modules of this name in other folders are code of the application.
  const isDeeper = folder === 'content-types' || parts.length <= 2
  return isSchema && (described.test(name) || isDeeper) ? `a schema must be ${schemaPlace}` : null
}

/** `parts` are those of the path below a folder `content-types`. Files beside a schema are the application's own. */
function ofContentTypes(parts: readonly string[]): string | null {
  const name = parts.at(-1)!
  if (parts.length === 1)
    return described.test(name) || stemOf(name) === 'schema' ? `a schema must be ${schemaPlace}` : null
  if (stemOf(name) === 'schema')
    return described.test(name) && !name.endsWith('.json') ? 'a schema must be a file .json, .ts, .js or .mjs' : null
  const isTypo = moduleFile.test(name) && typoOf(stemOf(name), ['lifecycles']) !== null
  return isTypo ? `did you mean ${['lifecycles', ...name.split('.').slice(1)].join('.')}?` : null
}

/** `parts` are those of the path below src/components. */
function ofComponents(parts: readonly string[]): string | null {
  const name = parts.at(-1)!
  if (!described.test(name) && !moduleFile.test(name)) return null
  if (parts.length === 2 && name.endsWith('.json')) return null
  return `a component must be ${componentPlace}`
}

/** `parts` are those of the path below src/extensions. */
function ofExtensions(parts: readonly string[]): string | null {
  const name = parts.at(-1)!
  if (stemOf(name) !== 'schema' || !described.test(name)) return null
  const isRead = parts.length === 4 && parts[1] === 'content-types' && name.endsWith('.json')
  return isRead ? null : `a schema of a plugin's content type must be ${extensionPlace}`
}

const stemOf = (name: string) => name.split('.')[0]!

/** Returns the paths of all files below a folder, with "/"; none if there is no such folder. */
async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  const paths: string[] = []
  for (const entry of entries) {
    if (entry.isFile()) paths.push(entry.name)
    else if (entry.isDirectory() && entry.name !== 'node_modules')
      for (const path of await filesBelow(join(folder, entry.name))) paths.push(`${entry.name}/${path}`)
  }
  return paths
}
