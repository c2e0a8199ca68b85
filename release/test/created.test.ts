// Applications that create-plinth makes from the packed packages: the steps of the Dockerfile, carried out in folders,
// give a server that answers. npm installs from a registry on this machine.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFile, mkdir, readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { freePort } from '@plinth/test-tools/free-port'
import t from 'tap'
import { build } from './fixtures/container.ts'
import { completeLock } from './fixtures/lock.ts'
import { folderFor, root, tarballOf } from './fixtures/packed.ts'
import { homeWith, publish, startRegistry } from './fixtures/registry.ts'
import { prepared } from './fixtures/prepared.ts'
import { plainEnv, ran } from './fixtures/tarballs.ts'

const dir = await folderFor(t)
const built = await prepared()
const tarballs = join(built.dir, 'tarballs')
const registry = await startRegistry(t)
process.env.HOME = await homeWith(t, registry)
for (const manifest of built.manifests) await publish(registry, manifest, join(tarballs, tarballOf(manifest)))
const secrets = { JWT_SECRET: 'a-secret-of-more-than-thirty-two-bytes' }

const fromTarballs = [process.execPath, join(built.dir, 'node_modules/create-plinth/dist/bin.js')]
const fromRegistry = ['npm', 'create', '--yes', 'plinth@latest']

interface Application {
  readonly name: string
  /** The words of the command that creates it. */
  readonly command: readonly string[]
  readonly scripts: readonly string[]
}

/** Two applications: with the plugins that are chosen by default, and with as little as there is. */
const applications: readonly Application[] = [
  { name: 'shop', command: [...fromTarballs, 'shop', '--yes', '--tarballs', tarballs], scripts: ['test', 'types'] },
  {
    name: 'kiosk',
    command: [...fromRegistry, 'kiosk', '--', '--yes', '--language', 'js', '--plugins', 'none'],
    scripts: ['test'],
  },
]

for (const { name, command, scripts } of applications)
  t.test(`create, test, build and run: ${name}`, async t => {
    const made = await ran(dir, command)
    t.equal(made.code, 0, made.text)
    const shop = join(dir, name)
    for (const script of scripts) {
      const own = await ran(shop, ['npm', 'run', script])
      t.equal(own.code, 0, own.text)
    }
    await completeLock(shop)
    // What a developer has.
    for (const path of ['.data/plinth.db', '.data/uploads/photo.png', 'notes.db', '.env'])
      await mkdir(dirname(join(shop, path)), { recursive: true }).then(() => appendFile(join(shop, path), ''))
    const out = await folderFor(t)
    const container = await build(shop, out)
    t.same((await readdir(container.dir)).sort(), [
      '.data',
      'config',
      'database',
      'node_modules',
      'package.json',
      'src',
    ])
    t.same(await readdir(join(container.dir, '.data')), [], 'nothing of the data travels along')
    const installed = await readdir(join(container.dir, 'node_modules'), { recursive: true })
    t.ok(installed.includes('@plinth/kernel'))
    for (const name of ['typescript', '@types/node', '@plinth/testing'])
      t.notOk(installed.includes(name), `no development package ${name}`)
    t.equal(container.user, 'node')
    t.same(container.volumes, ['/app/.data'])

    const [program, ...words] = container.cmd
    t.equal(program, 'node', 'a shell or npm would keep SIGTERM')
    const port = await freePort()
    const env = { ...plainEnv(), ...container.env, ...secrets, HOST: '127.0.0.1', PORT: String(port) }
    const cwd = container.dir
    const migrated = await ran(cwd, ['node', words[0]!, 'migrate', 'apply'], env)
    t.equal(migrated.code, 0, migrated.text)
    const server = spawn(process.execPath, words, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
    t.teardown(() => server.kill('SIGKILL'))
    let log = ''
    for (const stream of [server.stdout, server.stderr])
      stream.on('data', chunk => {
        log += chunk
      })
    const last = Date.now() + 60_000
    const health = () => ran(cwd, container.health, { PORT: String(port) })
    while ((await health()).code !== 0) {
      if (Date.now() > last || server.exitCode !== null) throw new Error(log)
      await delay(100)
    }
    const answer = await fetch(`http://127.0.0.1:${port}/api/articles`)
    t.same(await answer.json(), { data: [], meta: { pagination: { page: 1, pageSize: 25, pageCount: 0, total: 0 } } })
    server.kill('SIGTERM')
    t.same(await once(server, 'exit'), [0, null], 'SIGTERM ends it')
    t.equal((await health()).code, 1, 'the health check notices')
  })

t.test('the ranges that are written without tarballs', async t => {
  const bin = join(built.dir, 'node_modules/create-plinth/dist/bin.js')
  const made = await ran(dir, [process.execPath, bin, 'plain', '--yes', '--no-install'])
  t.equal(made.code, 0, made.text)
  const { dependencies, devDependencies } = JSON.parse(await readFile(join(dir, 'plain/package.json'), 'utf8')) as {
    dependencies: Record<string, string>
    devDependencies: Record<string, string>
  }
  t.ok('@plinth/testing' in devDependencies)
  for (const [name, range] of Object.entries({ ...dependencies, ...devDependencies }))
    t.match(range, /^[\^~]\d+\.\d+\.\d+$/, name)
})

t.test('docs/deployment.md shows the Dockerfile that is written', async t => {
  const [, shown] = /```dockerfile\n([\s\S]*?)```/.exec(await readFile(join(root, 'docs/deployment.md'), 'utf8'))!
  // An application with files elsewhere has one folder more.
  const own = shown!.replaceAll(' public/uploads', '').replaceAll(' /app/public/uploads', '')
  t.equal(own, await readFile(join(dir, 'plain/Dockerfile'), 'utf8'))
})
