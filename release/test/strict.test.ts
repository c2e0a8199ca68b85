// The built types in strict applications that do not skip the check of libraries, by each kind of module resolution. What
// an application need not install is not there.

import { cp, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { type Manifest, publishedIn } from '../published.ts'
import { link } from './fixtures/built.ts'
import { root } from './fixtures/packed.ts'
import { prepared } from './fixtures/prepared.ts'
import { type Resolution, strictFaults } from './fixtures/strict.ts'

const resolutions: readonly Resolution[] = ['node16', 'nodenext', 'bundler']
const { dir, manifests } = await prepared()
const folder = join(dir, 'strict')
await mkdir(folder)
for (const name of ['application', 'alone'])
  await cp(join(import.meta.dirname, `fixtures/programs/${name}.ts`), join(folder, `${name}.ts`))
await link(join(root, 'packages/server'), ['fastify'], folder)

const published = new Map(manifests.map(one => [one.name, one]))
const optionalOf = ({ peerDependenciesMeta = {} }: Manifest) => Object.keys(peerDependenciesMeta)
const bundled = [...(await publishedIn(root)).values()].flatMap(one => one.bundled ?? [])
/** What a package may be without. */
const dispensable = [...published.keys(), ...manifests.flatMap(optionalOf), ...bundled]

/** What npm installs with a package, itself included; of packages from elsewhere just their names. */
function installedWith(name: string, found = new Set<string>()): ReadonlySet<string> {
  const manifest = published.get(name)
  if (found.has(name)) return found
  found.add(name)
  if (manifest === undefined) return found
  const { dependencies, peerDependencies } = manifest
  const left = optionalOf(manifest)
  const needed = Object.keys({ ...dependencies, ...peerDependencies }).filter(one => !left.includes(one))
  for (const one of needed) installedWith(one, found)
  return found
}

const allBut = (kept: ReadonlySet<string>) => new Set(dispensable.filter(name => !kept.has(name)))

t.test('an application with all packages and Fastify', async t => {
  const hidden = allBut(new Set([...published.keys(), 'fastify']))
  t.ok(hidden.has('sharp') && hidden.has('jose') && hidden.has('ioredis'), 'and with nothing else that is optional')
  for (const resolution of resolutions)
    t.same(strictFaults({ dir, files: ['strict/application.ts'], resolution, hidden }), [], resolution)
})

t.test('the kernel without a server and without databases', async t => {
  const hidden = allBut(installedWith('@plinth/kernel'))
  for (const resolution of resolutions)
    t.same(strictFaults({ dir, files: ['strict/alone.ts'], resolution, hidden }), [], resolution)
})

t.test('each package with what npm installs with it', async t => {
  for (const { name, exports = {} } of published.values()) {
    const modules = Object.keys(exports).filter(path => path !== './package.json')
    const file = `strict/${name.replace(/^@plinth\//, '')}.ts`
    await writeFile(
      join(dir, file),
      modules.map((path, i) => `export * as m${i} from '${join(name, path)}'\n`).join(''),
    )
    // Who imports a plugin has a kernel, also where other programs use a part of its package without one.
    const isPlugin = published.get(name)?.peerDependenciesMeta?.['@plinth/kernel']?.optional === true
    const hidden = allBut(installedWith(name, isPlugin ? new Set(installedWith('@plinth/kernel')) : undefined))
    t.same(strictFaults({ dir, files: [file], resolution: 'nodenext', hidden }), [], name)
  }
})

t.test('what is missing is a fault', async t => {
  const hidden = new Set(['knex'])
  t.match(strictFaults({ dir, files: ['strict/alone.ts'], resolution: 'nodenext', hidden }).join('\n'), /knex/)
})
