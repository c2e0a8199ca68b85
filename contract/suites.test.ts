/** The recorded files are unchanged and complete, and every deviation names a recorded step. */

import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse } from 'graphql'
import t from 'tap'

const here = import.meta.dirname

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(join(here, folder), { withFileTypes: true, recursive: true })
  return entries.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name).slice(here.length + 1))
}

t.test('suites, model, replayer and the v4 database are unchanged', async t => {
  const folders = await Promise.all(['suites', 'app', 'v4-database'].map(filesBelow))
  const files = [...folders.flat(), 'replay.mjs'].sort()
  const found = files.map(async file => {
    const digest = createHash('sha256').update(await readFile(join(here, file)))
    return `${digest.digest('hex')}  ${file}`
  })
  const manifest = await readFile(join(here, 'suites.sha256'), 'utf8')
  t.same(await Promise.all(found), manifest.trimEnd().split('\n'))
})

const lists = ['deviations.json', 'deviations-mysql.json', 'deviations-postgres.json', 'in-place/deviations.json']

async function stepsOf(suite: string): Promise<string[]> {
  const file = suite.startsWith('v4-database-') ? suite.replace('-database-', '-database/') : `suites/${suite}`
  const { steps } = JSON.parse(await readFile(join(here, `${file}.json`), 'utf8')) as { steps: { name: string }[] }
  return steps.map(({ name }) => name)
}

/** The fields of the recorded GraphQL schema: `Type.field`. Those that deviate are left out (graphql-schema.test.ts). */
async function fieldsOfSchema(): Promise<string[]> {
  const { definitions } = parse(await readFile(join(here, 'schema.graphql'), 'utf8'), { noLocation: true })
  return definitions.flatMap(one =>
    'fields' in one ? (one.fields ?? []).map(field => `${one.name.value}.${field.name.value}`) : [],
  )
}

for (const list of lists) {
  t.test(`every deviation of ${list} replaces a step that exists, with a reason and a source`, async t => {
    const deviations = JSON.parse(await readFile(join(here, list), 'utf8')) as Record<string, string>[]
    const seen = new Set<string>()
    for (const { suite, step, reason, source } of deviations) {
      const names = suite === 'schema.graphql' ? await fieldsOfSchema() : await stepsOf(suite!)
      t.ok(names.includes(step!), `${suite} › ${step}`)
      t.match([reason, source], [/\w/, /\.md|B-\d/], `${suite} › ${step} has a reason and a source`)
      t.notOk(seen.has(`${suite} › ${step}`), 'no step deviates twice')
      seen.add(`${suite} › ${step}`)
    }
  })
}
