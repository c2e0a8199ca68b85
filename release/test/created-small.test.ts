// The application with the fewest packages, which create-plinth makes from a registry: the steps of the Dockerfile,
// carried out in folders, give a server that answers.

import { join } from 'node:path'
import t from 'tap'
import { createAndRun } from './fixtures/created.ts'
import { folderFor, tarballOf } from './fixtures/packed.ts'
import { prepared } from './fixtures/prepared.ts'
import { homeWith, publish, startRegistry } from './fixtures/registry.ts'

const dir = await folderFor(t)
const built = await prepared()
const registry = await startRegistry(t)
process.env.HOME = await homeWith(t, registry)
for (const manifest of built.manifests)
  await publish(registry, manifest, join(built.dir, 'tarballs', tarballOf(manifest)))

t.test('create, test, build and run: no plugins, in JavaScript', t => {
  const command = ['npm', 'create', '--yes', 'plinth@latest', 'kiosk', '--', '--yes']
  const choices = ['--language', 'js', '--plugins', 'none']
  return createAndRun(t, dir, { name: 'kiosk', command: [...command, ...choices], scripts: ['test'] })
})
