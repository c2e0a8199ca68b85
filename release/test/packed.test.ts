// The manifests of the packed packages: no value that only this workspace understands, and for each peer of Plinth the
// range of compatible versions.

import t from 'tap'
import { publishedIn } from '../published.ts'
import { root } from './fixtures/packed.ts'
import { prepared } from './fixtures/prepared.ts'

/**
 * Packages that are for no kernel: the kernel itself, the one that runs before an application has one, and the client,
 * which runs in browsers and sends requests to servers of any version.
 */
const withoutKernel = ['@plinth/kernel', 'create-plinth', '@plinth/client']

t.test('manifests', async t => {
  const versions = new Map([...(await publishedIn(root)).values()].map(one => [one.name, one.version]))
  const { manifests } = await prepared()
  t.same(new Set(manifests.map(one => one.name)), new Set(versions.keys()), 'every package is packed')
  for (const manifest of manifests) {
    const { name, dependencies = {}, peerDependencies = {} } = manifest
    const peers = Object.entries(peerDependencies).filter(([peer]) => peer.startsWith('@plinth/'))
    for (const [peer, range] of peers) t.equal(range, `^${versions.get(peer)}`, `${name} is for this ${peer}`)
    t.equal(peers.length > 0, !withoutKernel.includes(name), `${name} says which kernel it is for`)
    const range = peerDependencies['@plinth/kernel']
    const isFree = (one: string) => {
      const { peerDependencies: peersOf = {}, peerDependenciesMeta } = manifests.find(other => other.name === one)!
      // An optional peer is not installed by itself, and the same peer is installed once.
      const isOptional = peerDependenciesMeta?.['@plinth/kernel']?.optional === true
      return isOptional || (range !== undefined && peersOf['@plinth/kernel'] === range)
    }
    t.ok(
      Object.keys(dependencies).every(one => !one.startsWith('@plinth/') || isFree(one)),
      `${name} brings no second kernel`,
    )
    t.notMatch(JSON.stringify(manifest), /"(?:workspace|catalog):/, `${name} can be installed anywhere`)
    if (name === 'create-plinth')
      for (const [other, range] of Object.entries(manifest.devDependencies ?? {}))
        if (versions.has(other)) t.equal(range, `^${versions.get(other)}`, `${name} writes this range of ${other}`)
    t.notMatch(JSON.stringify([manifest.exports, manifest.bin]), /\.\/src/, `${name} leads to what is built`)
    t.equal(manifest.exports?.['./package.json'], './package.json', `${name} lets tools read its manifest`)
    t.equal(manifest.license, 'MIT')
    const folder = `packages/${name.replace('@plinth/', '')}`
    t.equal(manifest.repository?.directory, folder)
    t.ok(manifest.homepage?.endsWith(`/${folder}#readme`), `${name} leads to its document`)
    t.ok(manifest.keywords?.includes('plinth'), `${name} is found by what it is about`)
  }
})

t.test('the range follows the version', async t => {
  for (const { name, peerDependencies = {} } of (await publishedIn(root)).values()) {
    const peers = Object.entries(peerDependencies).filter(([peer]) => peer.startsWith('@plinth/'))
    for (const [peer, range] of peers) t.equal(range, 'workspace:^', `${name}: ${peer}`)
  }
})
