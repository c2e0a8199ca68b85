// Writes docs/newcomer.md: packs the packages, and records what a newcomer does with them. `node release/newcomer-document.ts`
// writes the file; the test compares it with a new run.

import { cp, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@plinth/test-tools/free-port'
import { newcomersRun } from './newcomer.ts'
import { completeLock } from './test/fixtures/lock.ts'
import { prepareIn } from './test/fixtures/prepared.ts'
import { laterVersion, plainEnv } from './test/fixtures/tarballs.ts'

/** The path of the document. */
export const documentPath = join(import.meta.dirname, '../docs/newcomer.md')

const head = `# A newcomer's run

From an empty folder to an application that is deployed and upgraded: each command with what it printed. A test runs all of them
again, with packages packed from this repository, and compares. Times, tokens, random names and numbers of packages are masked.

`

/** Carries out the run in the folder `dir` with the packages that prepareIn() has packed in `built`. Returns the document. */
export async function documentOf(dir: string, built: string): Promise<string> {
  await cp(join(built, 'tarballs'), join(dir, 'tarballs'), { recursive: true })
  await laterVersion(join(built, 'node_modules'), join(dir, 'next'))
  const env = { ...plainEnv(), PORT: String(await freePort()), NO_COLOR: '1', npm_config_update_notifier: 'false' }
  return head + (await newcomersRun({ dir, env, locked: completeLock }))
}

if (process.argv[1] === import.meta.filename) {
  const dir = await realpath(await mkdtemp(join(tmpdir(), 'plinth-newcomer-')))
  try {
    const built = join(dir, 'built')
    await mkdir(built)
    await prepareIn(built)
    await writeFile(documentPath, await documentOf(dir, built))
  } finally {
    await rm(dir, { recursive: true, force: true, maxRetries: 5 })
  }
}
