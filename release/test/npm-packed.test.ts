// The packages as npm packs them: they have the manifests and files that pnpm would pack, and create-plinth makes an
// application of them.

import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { publishedIn } from '../published.ts'
import { type Installations, project, requireSmall } from './fixtures/installation.ts'
import { packByNpm } from './fixtures/npm-tarballs.ts'
import { folderFor, root } from './fixtures/packed.ts'
import { npm } from './fixtures/project.ts'
import { publish, startRegistry } from './fixtures/registry.ts'
import { answerOf } from './fixtures/served.ts'
import { copyWorkspace } from './fixtures/workspace.ts'

const dir = await folderFor(t)
const workspace = join(dir, 'workspace')
await copyWorkspace(workspace)
const tarballs = await packByNpm(workspace, join(dir, 'tarballs'))
const registry = await startRegistry(t)
const installations: Installations = { dir, registry, tarballs }
const run = promisify(execFile)

/** The manifest of a tarball, as text. */
async function manifestIn(tarball: string): Promise<string> {
  return (await run('tar', ['-xzOf', tarball, 'package/package.json'])).stdout
}

// Others need these, and npm asks the registry for them.
for (const tarball of [
  '@plinth/transfer',
  '@plinth/types',
  '@plinth/v4',
  '@plinth/advice',
  '@plinth/custom-fields',
  '@plinth/passwords',
  '@plinth/email',
  '@plinth/sql-servers',
].map(name => tarballs.get(name)!))
  await publish(registry, JSON.parse(await manifestIn(tarball)), tarball)

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
  const folder = await project(installations, 'creating', ['create-plinth'], {})
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
