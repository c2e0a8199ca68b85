// The manifests of the packed packages: no value that only this workspace understands, and for each peer of Plinth the
// range of compatible versions.

import t from 'tap'
import { publishedIn } from '../plan.ts'
import { folderFor, packAll, root } from './fixtures/packed.ts'

t.test('manifests', async t => {
  const versions = new Map([...(await publishedIn(root)).values()].map(one => [one.name, one.version]))
  const manifests = await packAll(await folderFor(t))
  t.same(new Set(manifests.map(one => one.name)), new Set(versions.keys()), 'every package is packed')
  for (const manifest of manifests) {
    const { name, dependencies = {}, peerDependencies = {} } = manifest
    const peers = Object.entries(peerDependencies).filter(([peer]) => peer.startsWith('@plinth/'))
    for (const [peer, range] of peers) t.equal(range, `^${versions.get(peer)}`, `${name} is for this ${peer}`)
    t.equal(peers.length > 0, name !== '@plinth/kernel', `${name} says which kernel it is for`)
    t.notOk(
      Object.keys(dependencies).some(one => one.startsWith('@plinth/')),
      `${name} brings no second kernel`,
    )
    t.notMatch(JSON.stringify(manifest), /"(?:workspace|catalog):/, `${name} can be installed anywhere`)
    t.notMatch(JSON.stringify([manifest.exports, manifest.bin]), /\.\/src/, `${name} leads to what is built`)
  }
})

t.test('the range follows the version', async t => {
  for (const { name, peerDependencies = {} } of (await publishedIn(root)).values()) {
    const peers = Object.entries(peerDependencies).filter(([peer]) => peer.startsWith('@plinth/'))
    for (const [peer, range] of peers) t.equal(range, 'workspace:^', `${name}: ${peer}`)
  }
})
