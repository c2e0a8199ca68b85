// Every JSON example in the documents is a schema, a manifest, or is compared with something by a test that is named here.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Placed, placed, readDocuments, root, valuesIn } from '@plinth/test-tools/documents'
import t from 'tap'
import { schemaFileOf } from './schema-files.ts'

const documents = await readDocuments()

const requests = 'apps/docs/test/requests.test.ts'
const pages = 'apps/docs/test/pages.test.ts'

/** The tests that compare the JSON of a document with what a server answers or takes. */
const compared: Readonly<Record<string, string>> = {
  'apps/example/README.md': 'apps/example/test/tour.test.ts',
  'docs/graphql.md': pages,
  'docs/guides/rating-plugin.md': 'release/test/built.test.ts',
  'docs/rights.md': pages,
  'docs/start.md': pages,
  'packages/entry-versions/README.md': requests,
  'packages/rest/README.md': requests,
  'packages/slugs/README.md': requests,
  'packages/upload/README.md': requests,
  'packages/users-permissions/README.md': requests,
}

/** Documents whose JSON is only parsed, with the reason. */
const parsed: Readonly<Record<string, string>> = {
  'docs/transfer.md': 'lines from within an archive; packages/transfer/test reads and writes whole ones',
  'packages/content-type-builder/README.md':
    'the rights of one caller, shortened; test/rights.test.ts there has such answers in full',
}

const examples = [...documents].flatMap(([document, text]) =>
  placed(document, text).filter(({ language }) => language === 'json' || language === 'jsonc'),
)

const isManifest = ({ path }: Placed) => path?.split('/').at(-1) === 'package.json'

t.test('every value is looked at, or named with the reason why it is not', t => {
  const others = examples.filter(example => schemaFileOf(example) === null && !isManifest(example))
  const found = new Set(others.map(({ document }) => document))
  const listed = [...Object.keys(compared), ...Object.keys(parsed)]
  t.same([...found].sort(), listed.sort())
  for (const test of new Set(Object.values(compared))) t.ok(existsSync(join(root, test)), test)
  t.end()
})

t.test('manifests name packages that there are', t => {
  const names = readdirSync(join(root, 'packages')).map(
    folder => JSON.parse(readFileSync(join(root, 'packages', folder, 'package.json'), 'utf8')).name,
  )
  const lacking = (example: Placed) => {
    const [{ dependencies, devDependencies, peerDependencies }] = valuesIn(example) as [Record<string, object>]
    const own = Object.keys({ ...dependencies, ...devDependencies, ...peerDependencies })
    return own.filter(name => name.startsWith('@plinth/') && !names.includes(name))
  }
  const manifests = examples.filter(isManifest)
  t.equal(manifests.length, 2)
  for (const manifest of manifests) t.same(lacking(manifest), [], manifest.place)
  const mistaken = manifests.map(one => ({ ...one, code: one.code.replace('@plinth/server', '@plinth/serve') }))
  for (const manifest of mistaken) t.same(lacking(manifest), ['@plinth/serve'], 'a mistake is seen')
  t.end()
})
