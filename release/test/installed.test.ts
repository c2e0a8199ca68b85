// The packages as npm packs and installs them, in projects that have nothing else: each is given only what it needs, and
// says what is missing.

import { execFile } from 'node:child_process'
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Client, databases, freshDatabase } from '@plinth/test-tools/databases'
import t, { type Test } from 'tap'
import { publishedIn } from '../published.ts'
import { folderFor, root } from './fixtures/packed.ts'
import { npm, writeProject } from './fixtures/project.ts'
import { publish, startRegistry } from './fixtures/registry.ts'
import { answerOf } from './fixtures/served.ts'
import { packByNpm } from './fixtures/npm-tarballs.ts'
import { copyWorkspace } from './fixtures/workspace.ts'

const dir = await folderFor(t)
const workspace = join(dir, 'workspace')
await copyWorkspace(workspace)
const tarballs = await packByNpm(workspace, join(dir, 'tarballs'))
const registry = await startRegistry(t)
const run = promisify(execFile)

/** The manifest of a tarball, as text. */
async function manifestIn(tarball: string): Promise<string> {
  return (await run('tar', ['-xzOf', tarball, 'package/package.json'])).stdout
}

// Others need these, and npm asks the registry for them.
for (const tarball of ['@plinth/v4', '@plinth/custom-fields'].map(name => tarballs.get(name)!))
  await publish(registry, JSON.parse(await manifestIn(tarball)), tarball)

/** The packages of the databases. */
const drivers: Readonly<Record<Client, string>> = { sqlite: 'better-sqlite3', postgres: 'pg', mysql: 'mysql2' }

const schema = JSON.stringify({
  kind: 'collectionType',
  info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
  attributes: { text: { type: 'string' } },
})
const application = (plugin: string) => ({
  'config/plugins.json': JSON.stringify({ [plugin]: true }),
  'src/api/note/content-types/note/schema.json': schema,
})

/** A new project with these packages; those of Plinth are installed from their tarballs. */
async function project(name: string, packages: readonly string[], files: Readonly<Record<string, string>>) {
  const folder = join(dir, name)
  await writeProject(folder, files)
  await npm(folder, registry, 'install', '--omit=dev', ...packages.map(one => tarballs.get(one) ?? one))
  return folder
}

/** What the program prints, or the error with which it ends. */
async function printed(folder: string, program: string, ...words: readonly string[]): Promise<string> {
  const env = { PATH: process.env.PATH }
  const { stdout, stderr } = await run(process.execPath, [program, ...words], { cwd: folder, env }).catch(
    (error: { stdout: string; stderr: string }) => error,
  )
  return stdout + stderr
}

t.test('npm packs what pnpm would pack', async t => {
  for (const [folder, manifest] of await publishedIn(workspace)) {
    const original = join(root, 'packages', folder.split(/[\\/]/).at(-1)!, 'package.json')
    t.same(manifest, JSON.parse(await readFile(original, 'utf8')), `${manifest.name} has its manifest again`)
    const packed = await manifestIn(tarballs.get(manifest.name)!)
    t.notMatch(packed, /"(?:workspace|catalog):/, `${manifest.name} can be installed anywhere`)
    const { dependencies = {}, peerDependencies = {} } = JSON.parse(packed)
    t.same(
      [Object.keys(dependencies), Object.keys(peerDependencies)],
      [
        Object.keys(manifest.dependencies ?? {}).filter(one => !(manifest.bundled ?? []).includes(one)),
        Object.keys(manifest.peerDependencies ?? {}),
      ],
      `${manifest.name} needs what its manifest says`,
    )
    const { stdout: paths } = await run('tar', ['-tzf', tarballs.get(manifest.name)!])
    t.notMatch(paths, /\/(?:src|test|coverage\.json|tsconfig[^/]*)(?:\/|$)/m, `${manifest.name} has only what is built`)
    t.match(paths, 'package/LICENSE')
  }
})

t.test('create-plinth, as npm packs it, makes an application', async t => {
  const folder = await project('creating', ['create-plinth'], {})
  const { stdout, stderr } = await run(
    process.execPath,
    ['node_modules/create-plinth/bin.js', 'shop', '--yes', '--no-install', '--plugins', 'none'],
    { cwd: folder },
  )
  t.match(stdout + stderr, /The application is in shop/)
  const made = JSON.parse(await readFile(join(folder, 'shop/package.json'), 'utf8'))
  t.match(made.dependencies, { '@plinth/kernel': /^\^\d/, '@plinth/cli': /^\^\d/, fastify: /^\^\d/ })

  const shop = join(folder, 'shop')
  const packages = Object.entries(made.dependencies as Readonly<Record<string, string>>)
  // npm looks for packages of development, too, if only to leave them out.
  await writeFile(join(shop, 'package.json'), JSON.stringify({ ...made, devDependencies: {} }))
  const sources = packages.map(([name, version]) => tarballs.get(name) ?? `${name}@${version}`)
  await npm(shop, registry, 'install', '--omit=dev', ...sources)
  await requireSmall(t, shop)
  const { status, body } = await answerOf({
    dir: shop,
    program: 'node_modules/.bin/plinth',
    words: ['start'],
    path: '/api/none',
  })
  t.match({ status, body }, { status: 404, body: { data: null, error: { name: 'NotFoundError' } } }, 'it serves')
})

t.test('the command, which reads projects of v4 only with a package of their own', async t => {
  const files = { 'config/plugins.json': '{}', 'src/api/note/content-types/note/schema.json': schema }
  const folder = await project('inspecting', ['@plinth/kernel', '@plinth/cli', 'better-sqlite3'], files)
  const plinth = join(folder, 'node_modules/@plinth/cli/dist/bin.js')
  t.match(await printed(folder, plinth, 'doctor'), /Plinth serves 1 content type/)
  const ofV4 = JSON.stringify({ name: 'blog', dependencies: { '@strapi/strapi': '4.26.2' } })
  await writeProject(join(dir, 'blog'), { ...files, 'package.json': ofV4 })
  const doctor = () => printed(folder, plinth, 'doctor', '--dir', join(dir, 'blog'))
  t.match(await doctor(), 'with @plinth/v4, which is not installed: npm install --no-save @plinth/v4')
  await npm(folder, registry, 'install', '--no-save', '@plinth/v4')
  t.match(await doctor(), /Plinth serves 1 content type/)
})

t.test('the kernel in a script, with the driver of its database alone', async t => {
  const folder = await project('alone', ['@plinth/kernel'], {
    'src/api/note/content-types/note/schema.json': schema,
    'script.mjs': `import { createKernel } from '@plinth/kernel'
      const kernel = await createKernel({ dir: import.meta.dirname, database: JSON.parse(process.argv[2]) })
      await kernel.query('api::note.note').create({ data: { text: 'kept' } })
      console.log((await kernel.query('api::note.note').findMany()).map(one => one.text).join())
      await kernel.close()`,
  })
  const answering = await databases()
  for (const [client, driver] of Object.entries(drivers) as [Client, string][]) {
    const message = await printed(folder, 'script.mjs', JSON.stringify({ client, connection: { database: 'notes' } }))
    t.match(message, `the client "${client}" needs the package ${driver}: npm install ${driver}`)
    if (!answering.includes(client)) continue
    const database = await freshDatabase(client)
    t.teardown(() => database.drop())
    // What is not in package.json is removed: the driver before it.
    await npm(folder, registry, 'install', '--no-save', driver)
    const installed = await readdir(join(folder, 'node_modules'))
    t.same(
      Object.values(drivers).filter(name => installed.includes(name)),
      [driver],
      'no other driver',
    )
    t.notOk(installed.includes('fastify'), 'and no server')
    t.equal(await printed(folder, 'script.mjs', JSON.stringify(database.config)), 'kept\n', client)
  }
})

t.test("the REST API on a Fastify of one's own", async t => {
  const packages = ['@plinth/kernel', '@plinth/server', '@plinth/rest', 'fastify', 'better-sqlite3']
  const folder = await project('rest', packages, {
    ...application('rest'),
    'server.mjs': `import fastify from 'fastify'
      import { plinth, serverDefaults } from '@plinth/server'
      const app = fastify(serverDefaults)
      await app.register(plinth, { dir: import.meta.dirname })
      await app.listen({ port: Number(process.env.PORT) })`,
  })
  const { status, body } = await answerOf({ dir: folder, program: 'server.mjs', path: '/api/notes' })
  t.match({ status, body }, { status: 200, body: { data: [], meta: { pagination: { total: 0 } } } })
  await requireSmall(t, folder)
})

/** An installation for production has at most 80 packages and 50 MB, with SQLite alone. */
async function requireSmall(t: Test, folder: string): Promise<void> {
  const lock = JSON.parse(await readFile(join(folder, 'node_modules/.package-lock.json'), 'utf8'))
  const count = Object.keys(lock.packages).length
  const size = (await sizeOf(join(folder, 'node_modules'))) / 1e6
  t.comment(`${count} packages, ${size.toFixed(1)} MB`)
  t.ok(count <= 80, `${count} packages`)
  t.ok(size <= 50, `${size.toFixed(1)} MB`)
}

t.test('GraphQL without REST', async t => {
  // npm adds fastify, which the server needs.
  const packages = ['@plinth/kernel', '@plinth/server', '@plinth/graphql', 'better-sqlite3']
  const folder = await project('graphql', packages, {
    ...application('graphql'),
    'server.mjs': `import { createServer, listen } from '@plinth/server'
      await listen(await createServer({ dir: import.meta.dirname }))`,
  })
  const path = `/graphql?query=${encodeURIComponent('{ notes { data { id } } }')}`
  const { status, body } = await answerOf({ dir: folder, program: 'server.mjs', path })
  t.same({ status, body }, { status: 200, body: { data: { notes: { data: [] } } } })
})

/** The sizes of all files below a folder together, in bytes. */
async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter(one => one.isFile()).map(one => join(one.parentPath, one.name))
  const sizes = await Promise.all(files.map(async file => (await stat(file)).size))
  return sizes.reduce((sum, one) => sum + one, 0)
}
