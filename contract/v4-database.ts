/**
 * Replays the recordings of the v4 database on fresh copies of it, on every available database. Writes the results into
 * README.md and in-place/expected.json. With `--check` it writes nothing and fails if a result is worse than expected.
 */

import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { type Client, databases, type TestDatabase } from '@plinth/test-tools/databases'
import { copyDatabase, project, suitesOf } from '@plinth/test-tools/recordings'
import { recordTable } from './readme.ts'
import { replay } from './replayer.ts'
import { type Expected, markdown, raise, type SuiteReport, shortfalls } from './report.ts'

/** Replays the suites of one client; in the report they are called `<client> <suite>`. */
export async function replayInPlace(client: Client): Promise<SuiteReport[]> {
  const reports: SuiteReport[] = []
  for (const file of suitesOf(client)) reports.push(await replayOne(client, file))
  return reports
}

/** Those under which Strapi signed and hashed, from the README of the recording. */
export const secrets = { JWT_SECRET: 'v4-database-jwt-secret', API_TOKEN_SALT: 'v4-database-api-token-salt' }

async function replayOne(client: Client, file: string): Promise<SuiteReport> {
  const database = await copyDatabase(client)
  try {
    return await replayFile(database, file)
  } finally {
    await database.drop()
  }
}

/**
 * Replays one suite on a database with the content of v4's, which it changes. `keepsOrder` says whether the content has
 * the keys of JSON in the order in which v4 wrote them.
 */
export async function replayFile(
  { client, env: named }: TestDatabase,
  file: string,
  keepsOrder = true,
): Promise<SuiteReport> {
  const folder = await mkdtemp(join(tmpdir(), 'plinth-in-place-'))
  try {
    // The replayer reads a folder of suites.
    await copyFile(file, join(folder, basename(file)))
    // On SQLite the replayer names a file of its own; the other databases are named by v4's variables in
    // config/database.
    const start = 'export DATABASE_FILENAME="$COPY"; exec node serve.ts'
    const env = { ...named, ...secrets, COPY: named.DATABASE_FILENAME ?? '' }
    const deviations = ['in-place/deviations.json']
    // The formats of files are a column of the type jsonb there, which does not keep the order of keys.
    const isOrdered = keepsOrder && client !== 'postgres'
    const [report] = (await replay({ suites: folder, appDir: project, deviations, start, isOrdered, env })).suites
    return { ...report!, suite: `${client} ${basename(file, '.json')}` }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const expectedFile = join(import.meta.dirname, 'in-place/expected.json')

/** The steps that the suites of these clients passed when the file was last written. */
export async function expectedInPlace(clients: readonly Client[]): Promise<Expected> {
  const { whole, passed } = JSON.parse(await readFile(expectedFile, 'utf8')) as Expected
  const isRun = (suite: string) => clients.some(client => suite.startsWith(`${client} `))
  return {
    whole: whole.filter(isRun),
    passed: Object.fromEntries(Object.entries(passed).filter(([suite]) => isRun(suite))),
  }
}

function table(reports: readonly SuiteReport[]): string {
  const row = ({ suite, passed, failed }: SuiteReport) => [suite, `${passed} / ${passed + failed}`]
  return markdown([['suite', 'passed / all'], ...reports.map(row)])
}

if (import.meta.main) {
  const clients = await databases()
  const reports = (await Promise.all(clients.map(replayInPlace))).flat()
  console.log(table(reports))
  const expected = await expectedInPlace(clients)
  if (!process.argv.includes('--check')) {
    const all = JSON.parse(await readFile(expectedFile, 'utf8')) as Expected
    const passed = { ...all.passed, ...raise({ suites: reports }, expected).passed }
    await writeFile(expectedFile, `${JSON.stringify({ ...all, passed }, null, 2)}\n`)
    if (clients.length === 3) await recordTable('v4-database', table(reports))
  }
  const lines = shortfalls({ suites: reports }, expected)
  for (const line of lines) console.error(line)
  if (lines.length > 0) process.exitCode = 1
}
