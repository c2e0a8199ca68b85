// A release, rehearsed with a registry on this machine: the changesets of the workspace make versions, which are
// published, installed by name, and upgraded to a later one.

import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { type Manifest, publishedIn } from '../published.ts'
import { folderFor, root } from './fixtures/packed.ts'
import { npm, writeProject } from './fixtures/project.ts'
import { startRegistry } from './fixtures/registry.ts'
import { copyWorkspace, pnpm } from './fixtures/workspace.ts'

const rehearsed = ['@plinth/kernel', '@plinth/sqlite', '@plinth/draft-publish']
const run = promisify(execFile)
const dir = await folderFor(t)
const workspace = join(dir, 'workspace')
const registry = await startRegistry(t)
await copyWorkspace(workspace)

/** Runs a command of the changesets in the workspace. */
async function changeset(...args: readonly string[]): Promise<string> {
  const account = join(dir, 'account.npmrc')
  await writeFile(account, `registry=${registry}/\n${registry.replace('http:', '')}/:_authToken=rehearsal\n`)
  const settings = { npm_config_registry: `${registry}/`, npm_config_userconfig: account, CI: 'true', NODE_OPTIONS: '' }
  const bin = join(root, 'release/node_modules/@changesets/cli/bin.js')
  const env = { ...process.env, ...settings }
  return (await run(process.execPath, [bin, ...args], { cwd: workspace, env })).stdout
}

const versionIn = async (folder: string, name: string): Promise<string> =>
  JSON.parse(await readFile(join(folder, name, 'package.json'), 'utf8')).version

t.test('version, publish, install, upgrade', async t => {
  await pnpm(workspace, 'install', '--frozen-lockfile', '--ignore-scripts')
  // After a release, the workspace has no changesets.
  const note = `---\n${rehearsed.map(name => `'${name}': minor\n`).join('')}---\n\nA rehearsal.\n`
  await writeFile(join(workspace, '.changeset/rehearsal.md'), note)
  await changeset('version')
  const first = await versionIn(workspace, 'packages/kernel')
  t.not(first, await versionIn(root, 'packages/kernel'), 'the changesets make a version')
  // All are packed by other tests; publishing some of them shows what the others would.
  for (const [folder, manifest] of await publishedIn(workspace))
    if (!rehearsed.includes(manifest.name))
      await writeFile(join(folder, 'package.json'), JSON.stringify({ ...manifest, private: true }))
  await changeset('publish', '--no-git-tag')

  const project = join(dir, 'project')
  await writeProject(project, {
    'start.mjs': `import { createKernel } from '@plinth/kernel'
      const kernel = await createKernel({ dir: import.meta.dirname, plugins: { 'draft-publish': true } })
      await kernel.close()
      console.log('started')`,
  })
  const starts = async () => (await run(process.execPath, ['start.mjs'], { cwd: project })).stdout
  await npm(project, registry, 'install', '@plinth/kernel', '@plinth/draft-publish', '@plinth/sqlite')
  const installed = join(project, 'node_modules')
  t.equal(await versionIn(installed, '@plinth/kernel'), first)
  t.match(await starts(), 'started')
  const { bundled } = JSON.parse(await readFile(join(root, 'packages/kernel/package.json'), 'utf8')) as Manifest
  t.notSame(bundled, [])
  const published = JSON.parse(await readFile(join(installed, '@plinth/kernel/package.json'), 'utf8')) as Manifest
  for (const name of bundled ?? []) t.notOk(name in published.dependencies!, `${name} is in the package`)

  await writeFile(join(workspace, '.changeset/later.md'), `---\n'@plinth/kernel': patch\n---\n\nA fault less.\n`)
  await changeset('version')
  const second = await versionIn(workspace, 'packages/kernel')
  t.not(second, first)
  await changeset('publish', '--no-git-tag')
  await npm(project, registry, 'update')
  t.equal(await versionIn(installed, '@plinth/kernel'), second, 'the caret range takes the patch')
  t.equal(await versionIn(installed, '@plinth/draft-publish'), first, 'no plugin has to follow it')
  t.match(await starts(), 'started')
})
