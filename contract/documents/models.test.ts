// The schemas in the documents make models: a kernel starts with those of each page on a database in memory, and warns of
// nothing. What a page links and does not show is a type of the test.

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createKernel, type Uid } from '@plinth/kernel'
import { placed, readDocuments } from '@plinth/test-tools/documents'
import t, { type Test } from 'tap'
import { pluginsOf } from '../laws/plugins.ts'
import { type SchemaFile, schemaFileOf, typeWith, uidOf } from './schema-files.ts'

const documents = await readDocuments()

/** Plugins whose options, attributes and types the schemas name. */
const named = ['users-permissions', 'passwords', 'draft-publish', 'i18n', 'upload']
const secret = 'a secret that is long enough for all of it'
const settings: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'users-permissions': { jwtSecret: secret },
}
const available = await pluginsOf()
const plugins = Object.fromEntries(
  named.map(name => [name, { plugin: available.get(name)!, config: settings[name] ?? {} }] as const),
)

interface Relation {
  readonly relation?: string
  readonly target?: string
  /** The attribute of the other side, as either side writes it. */
  readonly inversedBy?: string
  readonly mappedBy?: string
}

interface Schema {
  readonly attributes: Readonly<Record<string, Relation>>
}

/** The types that schemas link and that are not among them, with the other sides of the relations. */
function othersOf(schemas: readonly Schema[], uids: readonly string[]): object[] {
  const others = new Map<string, Record<string, object>>()
  for (const [i, { attributes }] of schemas.entries())
    for (const [name, { relation, target, inversedBy, mappedBy }] of Object.entries(attributes)) {
      if (!target?.startsWith('api::') || uids.includes(target)) continue
      const other = others.get(target) ?? { name: { type: 'string' } }
      others.set(target, other)
      const [first, second] = relation!.split('To')
      const inverse = `${second!.toLowerCase()}To${first![0]!.toUpperCase()}${first!.slice(1)}`
      const side = inversedBy === undefined ? { inversedBy: name } : { mappedBy: name }
      const theirs = inversedBy ?? mappedBy
      if (theirs !== undefined) other[theirs] = { type: 'relation', relation: inverse, target: uids[i], ...side }
    }
  // A page may show nothing but an extension, and an application without types is warned of.
  others.set('api::reader.reader', { name: { type: 'string' } })
  return [...others].map(([uid, attributes]) => ({ uid, ...typeWith(uid.split('.')[1]!, attributes) }))
}

/** What a file exports. */
async function loadSchema(path: string): Promise<Schema> {
  const module = await import(pathToFileURL(path).href, path.endsWith('.json') ? { with: { type: 'json' } } : {})
  return module.default
}

/** Starts a kernel with these files. Returns what is wrong: an error, a warning, or a schema that was not found. */
async function faultOf(files: readonly SchemaFile[]): Promise<string | null> {
  const dir = await mkdtemp(join(import.meta.dirname, '../.data/models-'))
  try {
    for (const { path, code } of files) {
      await mkdir(dirname(join(dir, path)), { recursive: true })
      await writeFile(join(dir, path), code)
    }
    const uids = files.map(({ path }) => uidOf(path))
    const schemas = await Promise.all(files.map(({ path }) => loadSchema(join(dir, path))))
    const warnings: string[] = []
    const kernel = await createKernel({
      dir,
      plugins,
      contentTypes: othersOf(schemas, uids),
      database: { client: 'sqlite', connection: { filename: ':memory:' } },
      logger: { info() {}, warn: text => void warnings.push(text), error: error => void warnings.push(String(error)) },
    })
    const lacking = uids.filter(uid => kernel.contentTypes.get(uid as Uid) === undefined)
    await kernel.close()
    return [...warnings, ...lacking.map(uid => `there is no ${uid}`)].join('\n') || null
  } catch (error) {
    return String(error)
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
}

await mkdir(join(import.meta.dirname, '../.data'), { recursive: true })

const pages = [...documents].map(([document, text]) => {
  const files = placed(document, text).map(schemaFileOf)
  return [document, files.filter(file => file !== null)] as const
})

t.test('mistakes are seen', async t => {
  const page = (code: string) => [schemaFileOf(placed('docs/none.md', `\`\`\`json\n${code}\n\`\`\``)[0]!)!]
  const schema = (attribute: object) =>
    JSON.stringify({ ...typeWith('note', { text: attribute }), kind: 'collectionType' })
  t.equal(await faultOf(page(schema({ type: 'text' }))), null)
  t.match(await faultOf(page(schema({ type: 'txt' }))), /txt/)
  t.match(await faultOf(page(schema({ type: 'text', maxLenght: 3 }))), /maxLenght/)
  t.match(await faultOf(page(schema({ type: 'relation', relation: 'manyToOne', target: 'api.other' }))), /api\.other/)
  t.match(await faultOf(page('{ "pin": { "type": "passwort" } }')), /passwort/)
})

async function check(t: Test, files: readonly SchemaFile[]): Promise<void> {
  t.equal(await faultOf(files), null, files.map(({ place }) => place).join(', '))
}

t.test('schemas', async t => {
  const found = pages.filter(([, files]) => files.length > 0)
  t.ok(found.length >= 8, `${found.length} pages`)
  for (const [, files] of found) await check(t, files)
})
