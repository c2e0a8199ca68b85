// Which packages a release raises, and how far: tested with the manifests of this workspace, as if all were at 0.4.2.

import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { getReleasePlan } from '@changesets/get-release-plan'
import t, { type Test } from 'tap'
import { faultsOf } from '../plan.ts'
import { publishedIn } from '../published.ts'

interface Manifest {
  readonly name: string
  readonly peerDependencies?: Readonly<Record<string, string>>
}

const root = join(import.meta.dirname, '../..')
const manifests = [...(await publishedIn(root)).values()] as readonly Manifest[]
const plugins = manifests
  .filter(
    ({ name, peerDependencies }) => name !== 'create-plinth' && peerDependencies?.['@plinth/kernel'] !== undefined,
  )
  .map(({ name }) => name)
/** Those whose peer the server is, but for the transport that the test releases with it. */
const beside = manifests
  .filter(({ name, peerDependencies }) => name !== '@plinth/rest' && peerDependencies?.['@plinth/server'] !== undefined)
  .map(({ name }) => name)

/** A workspace with the manifests of this one, at version 0.4.2, and one changeset. */
async function workspace(t: Test, changeset: Readonly<Record<string, string>>): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'plinth-release-'))
  t.teardown(() => rm(dir, { recursive: true, force: true }))
  for (const file of ['package.json', 'pnpm-workspace.yaml', '.changeset/config.json'])
    await cp(join(root, file), join(dir, file))
  for (const [folder, manifest] of await publishedIn(root)) {
    const copy = join(dir, relative(root, folder))
    await mkdir(copy, { recursive: true })
    await writeFile(join(copy, 'package.json'), JSON.stringify({ ...manifest, version: '0.4.2' }))
  }
  const names = Object.entries(changeset).map(([name, type]) => `'${name}': ${type}\n`)
  await writeFile(join(dir, '.changeset/one.md'), `---\n${names.join('')}---\n\nA change.\n`)
  return dir
}

/** The new version of each package that is released. */
async function versionsOf(dir: string): Promise<Record<string, string>> {
  const { releases } = await getReleasePlan(dir)
  const raised = releases.filter(one => one.type !== 'none')
  return Object.fromEntries(raised.map(one => [one.name, one.newVersion!]))
}

t.test('a patch of the kernel releases no plugin', async t => {
  const dir = await workspace(t, { '@plinth/kernel': 'patch' })
  t.same(await versionsOf(dir), { '@plinth/kernel': '0.4.3' })
  t.same(await faultsOf(dir), [])
})

t.test('a patch of a plugin releases nothing else', async t => {
  const dir = await workspace(t, { '@plinth/i18n': 'patch' })
  t.same(await versionsOf(dir), { '@plinth/i18n': '0.4.3' })
  t.same(await faultsOf(dir), [])
})

t.test('a minor of the kernel releases every plugin, none as a major', async t => {
  const dir = await workspace(t, { '@plinth/kernel': 'minor' })
  const raised = Object.fromEntries(plugins.map(name => [name, '0.4.3']))
  t.same(await versionsOf(dir), { '@plinth/kernel': '0.5.0', ...raised })
  const faults = await faultsOf(dir)
  t.equal(faults.length, plugins.length + 1, 'and none may be a patch')
  const stale = faults.find(fault => fault.startsWith('create-plinth '))
  t.match(stale, /^create-plinth 0\.4\.2 would need @plinth\/kernel 0\.5\.0/, 'new applications get the new versions')
  t.match(faults[0], /^@plinth\/\S+ 0\.4\.3 would need @plinth\/kernel 0\.5\.0, so its release is minor: say so/)
})

t.test('a minor of the kernel whose changeset names the plugins', async t => {
  const all = Object.fromEntries(['@plinth/kernel', 'create-plinth', ...plugins].map(name => [name, 'minor']))
  const dir = await workspace(t, all)
  t.same(await versionsOf(dir), Object.fromEntries(Object.keys(all).map(name => [name, '0.5.0'])))
  t.same(await faultsOf(dir), [])
})

t.test('a minor of the server releases the packages whose peer it is', async t => {
  const dir = await workspace(t, { '@plinth/server': 'minor', '@plinth/rest': 'minor' })
  const raised = Object.fromEntries(beside.map(name => [name, '0.4.3']))
  t.same(await versionsOf(dir), { '@plinth/server': '0.5.0', '@plinth/rest': '0.5.0', ...raised })
  const named = (await faultsOf(dir)).map(fault => fault.split(' ')[0])
  t.same(named.sort(), [...beside, 'create-plinth'].sort())
})
