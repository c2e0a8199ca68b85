// The application that create-plinth makes from the packed packages: the steps of the Dockerfile, carried out in folders,
// give a server that answers. npm installs from a registry on this machine.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { createAndRun } from './fixtures/created.ts'
import { folderFor, root, tarballOf } from './fixtures/packed.ts'
import { prepared } from './fixtures/prepared.ts'
import { homeWith, publish, startRegistry } from './fixtures/registry.ts'
import { ran } from './fixtures/tarballs.ts'

const dir = await folderFor(t)
const built = await prepared()
const tarballs = join(built.dir, 'tarballs')
const registry = await startRegistry(t)
process.env.HOME = await homeWith(t, registry)
for (const manifest of built.manifests) await publish(registry, manifest, join(tarballs, tarballOf(manifest)))

t.test('create, test, build and run: the plugins that are chosen by default', t => {
  const bin = join(built.dir, 'node_modules/create-plinth/dist/bin.js')
  const command = [process.execPath, bin, 'shop', '--yes', '--tarballs', tarballs]
  return createAndRun(t, dir, { name: 'shop', command, scripts: ['test', 'types'] })
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
