// docs/newcomer.md shows what happens if its commands are run with the packed packages. npm installs from a registry on
// this machine.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { documentOf, documentPath } from '../newcomer-document.ts'
import { folderFor, tarballOf } from './fixtures/packed.ts'
import { prepared } from './fixtures/prepared.ts'
import { homeWith, publish, startRegistry } from './fixtures/registry.ts'

const dir = await folderFor(t)
const built = await prepared()
const registry = await startRegistry(t)
process.env.HOME = await homeWith(t, registry)
for (const manifest of built.manifests)
  await publish(registry, manifest, join(built.dir, 'tarballs', tarballOf(manifest)))

t.test('the transcript of a newcomer', async t => {
  const document = await documentOf(dir, built.dir)
  t.equal(document, await readFile(documentPath, 'utf8'), '`node release/newcomer-document.ts` writes a new one')
})
