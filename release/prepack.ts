// Runs before a package is packed or published. Refuses a package that is not built, leaves out the dependencies that are
// bundled, and replaces the ranges that only pnpm understands where another tool packs; postpack.ts brings the manifest
// back.

import { copyFile, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Manifest, publishedIn, withoutBundled } from './published.ts'

const manifest = JSON.parse(await readFile('package.json', 'utf8')) as Manifest
const main = await readFile('dist/index.js', 'utf8').catch(() => '// Not built')
if (main.startsWith('// Not built')) {
  console.error(`${manifest.name} is not built: run pnpm build before it is packed.`)
  process.exitCode = 1
} else {
  const byPnpm = process.env.npm_config_user_agent?.startsWith('pnpm/') ?? false
  const packed = withoutBundled(byPnpm ? manifest : await portable(manifest))
  await copyFile('package.json', '.package.json')
  await writeFile('.package.json.new', `${JSON.stringify(packed, null, 2)}\n`)
  await rename('.package.json.new', 'package.json')
}

/**
 * The manifest with ranges that every tool understands. create-plinth reads those of its development packages; what only
 * this workspace has is left out.
 */
async function portable(manifest: Manifest): Promise<Manifest> {
  const packages = [...(await publishedIn(join(import.meta.dirname, '..'))).values()]
  const versions = new Map(packages.map(({ name, version }) => [name, version]))
  const rangeOf = (name: string, range: string) => (range === 'workspace:^' ? `^${versions.get(name)}` : range)
  const rangesOf = (ranges: Readonly<Record<string, string>> = {}) =>
    Object.fromEntries(
      Object.entries(ranges)
        .map(([name, range]) => [name, rangeOf(name, range)] as const)
        .filter(([, range]) => !/^(?:workspace|catalog):/.test(range)),
    )
  const { dependencies, peerDependencies, devDependencies, ...kept } = manifest
  return {
    ...kept,
    ...(dependencies !== undefined && { dependencies: rangesOf(dependencies) }),
    ...(peerDependencies !== undefined && { peerDependencies: rangesOf(peerDependencies) }),
    ...(devDependencies !== undefined && { devDependencies: rangesOf(devDependencies) }),
  }
}
