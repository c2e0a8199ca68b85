// The packages as npm installs them, in projects that have nothing else: each is given only what it needs, and says what is
// missing.

import { execFile } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Client, databases, freshDatabase } from '@plinth/test-tools/databases'
import t from 'tap'
import { application, type Installations, project, requireSmall, schema } from './fixtures/installation.ts'
import { folderFor, tarballOf } from './fixtures/packed.ts'
import { prepared } from './fixtures/prepared.ts'
import { npm, writeProject } from './fixtures/project.ts'
import { publish, startRegistry } from './fixtures/registry.ts'
import { answerOf } from './fixtures/served.ts'

const dir = await folderFor(t)
const built = await prepared()
const registry = await startRegistry(t)
const tarballs = new Map(built.manifests.map(one => [one.name, join(built.dir, 'tarballs', tarballOf(one))]))
const installations: Installations = { dir, registry, tarballs }
const run = promisify(execFile)

// Packages need others, and npm asks the registry for them.
for (const manifest of built.manifests) await publish(registry, manifest, tarballs.get(manifest.name)!)

/** The drivers that the packages of databases bring. */
const drivers: Readonly<Record<Client, string>> = { sqlite: 'better-sqlite3', postgres: 'pg', mysql: 'mysql2' }

/** What the program prints, or the error with which it ends. */
async function printed(folder: string, program: string, ...words: readonly string[]): Promise<string> {
  const env = { PATH: process.env.PATH }
  const { stdout, stderr } = await run(process.execPath, [program, ...words], { cwd: folder, env }).catch(
    (error: { stdout: string; stderr: string }) => error,
  )
  return stdout + stderr
}

t.test('the command, which reads projects of v4 only with a package of their own', async t => {
  const files = { 'config/plugins.json': '{}', 'src/api/note/content-types/note/schema.json': schema }
  const folder = await project(installations, 'inspecting', ['@plinth/kernel', '@plinth/cli', '@plinth/sqlite'], files)
  const plinth = join(folder, 'node_modules/@plinth/cli/dist/bin.js')
  t.match(await printed(folder, plinth, 'doctor'), /Plinth serves 1 content type/)
  const ofV4 = JSON.stringify({ name: 'blog', dependencies: { '@strapi/strapi': '4.26.2' } })
  await writeProject(join(dir, 'blog'), { ...files, 'package.json': ofV4 })
  const doctor = () => printed(folder, plinth, 'doctor', '--dir', join(dir, 'blog'))
  t.match(await doctor(), 'with @plinth/v4, which is not installed: npm install --no-save @plinth/v4')
  await npm(folder, registry, 'install', '--no-save', '@plinth/v4')
  t.match(await doctor(), /Plinth serves 1 content type/)
})

t.test('the kernel in a script, with the package of its database alone', async t => {
  const folder = await project(installations, 'alone', ['@plinth/kernel'], {
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
    const own = `@plinth/${client}`
    t.match(message, `the client "${client}" needs the package ${own}: npm install ${own}`)
    if (!answering.includes(client)) continue
    const database = await freshDatabase(client)
    t.teardown(() => database.drop())
    // What is not in package.json is removed: the database before it.
    await npm(folder, registry, 'install', '--no-save', tarballs.get(own)!)
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
  const packages = ['@plinth/kernel', '@plinth/server', '@plinth/rest', 'fastify', '@plinth/sqlite']
  const folder = await project(installations, 'rest', packages, {
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

t.test('GraphQL without REST', async t => {
  // npm adds fastify, which the server needs.
  const packages = ['@plinth/kernel', '@plinth/server', '@plinth/graphql', '@plinth/sqlite']
  const folder = await project(installations, 'graphql', packages, {
    ...application('graphql'),
    'server.mjs': `import { createServer, listen } from '@plinth/server'
      await listen(await createServer({ dir: import.meta.dirname }))`,
  })
  const path = `/graphql?query=${encodeURIComponent('{ notes { data { id } } }')}`
  const { status, body } = await answerOf({ dir: folder, program: 'server.mjs', path })
  t.same({ status, body }, { status: 200, body: { data: { notes: { data: [] } } } })
})
