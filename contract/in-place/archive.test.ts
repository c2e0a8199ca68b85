/**
 * Archives that Strapi 4 itself has exported are imported into empty databases, and the recorded answers of v4 are replayed
 * on the result: the import keeps everything that v4's answers show.
 */

import { cp, mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createKernel } from '@plinth/kernel'
import { runProgram } from '@plinth/test-tools/command'
import type { TestDatabase } from '@plinth/test-tools/databases'
import { fresh, onOwn } from '@plinth/test-tools/on-each'
import { project, suitesOf } from '@plinth/test-tools/recordings'
import type { Test } from 'tap'
import { makeToken, readHeader } from '../suite-state.ts'
import { expectedInPlace, replayFile, secrets } from '../v4-database.ts'

const archives = {
  postgres: ['-f', join(import.meta.dirname, 'v4-export/postgres.tar.gz')],
  mariadb: ['-f', join(import.meta.dirname, 'v4-export/mariadb.tar.gz.enc'), '--key', 'a key of the recording'],
}

const plinth = join(import.meta.dirname, '../../packages/cli/src/bin.ts')

/** The project of v4 as an application of Plinth, without content. */
async function application(t: Test): Promise<string> {
  const dir = await realpath(await mkdtemp(join(tmpdir(), 'plinth-archive-')))
  t.teardown(() => rm(dir, { recursive: true, force: true }))
  await cp(join(project, 'src'), join(dir, 'src'), { recursive: true })
  // The packages of the plugins.
  await symlink(join(import.meta.dirname, '../node_modules'), join(dir, 'node_modules'))
  const names = ['draft-publish', 'i18n', 'upload', 'users-permissions', 'api-tokens']
  await mkdir(join(dir, 'config'))
  await writeFile(join(dir, 'config/plugins.json'), JSON.stringify(Object.fromEntries(names.map(one => [one, true]))))
  return dir
}

/** v4 exports no API tokens: whoever moves makes new ones. The suites use these. */
async function makeTokens(dir: string, database: TestDatabase): Promise<void> {
  const kernel = await createKernel({ dir, database: database.config })
  const { tokens = [] } = await readHeader(suitesOf(database.client)[0])
  for (const token of tokens) await makeToken(kernel, token, secrets.API_TOKEN_SALT)
  await kernel.close()
}

/** The uploaded files by their names. */
async function readUploads(dir: string): Promise<Record<string, string>> {
  const folder = join(dir, 'public/uploads')
  const names = (await readdir(folder)).filter(name => !name.startsWith('.')).sort()
  const contents = await Promise.all(names.map(name => readFile(join(folder, name), 'base64')))
  return Object.fromEntries(names.map((name, i) => [name, contents[i]!]))
}

for (const [name, words] of Object.entries(archives))
  await onOwn(`an export of v4 from ${name}`, async (t, client) => {
    const [dir, database] = [await application(t), await fresh(t)]
    const env = { ...database.env, ...secrets, NODE_ENV: 'test' }
    const imported = await runProgram([plinth, 'import', '--dir', dir, ...words], env, dir)
    t.match(imported, { code: 0, out: /^Imported \d+ rows and 14 files\n$/ })
    t.same(await readUploads(dir), await readUploads(project))
    await makeTokens(dir, database)
    const { passed } = await expectedInPlace([client])
    for (const file of suitesOf(client).filter(one => /(?:reads|graphql)\.json$/.test(one))) {
      // PostgreSQL has sorted the keys of the formats of files before v4 exported them.
      const report = await replayFile(database, file, name !== 'postgres')
      const failed = report.results.filter(step => !step.passed).map(step => [step.name, step.differences[0]])
      t.same(failed, [], report.suite)
      t.equal(report.passed, passed[report.suite])
    }
  })
