// Applications for tests, and whether processes exist.

import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { RunningProgram } from '@plinth/test-tools/command'
import { freePort } from '@plinth/test-tools/free-port'
import type { Test } from 'tap'
import { bin } from './plinth.ts'

export { until } from '@plinth/test-tools/command'

/** A command that runs until it is stopped. */
export class Running extends RunningProgram {
  constructor(t: Test, words: readonly string[], env: Readonly<Record<string, string>>) {
    super(t, [bin, ...words], env)
  }
}

/** A content type `note` with these attributes, as text. */
export const noteSchema = (attributes: object) =>
  JSON.stringify({
    kind: 'collectionType',
    collectionName: 'notes',
    info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
    attributes,
  })

export const schemaFile = 'src/api/note/content-types/note/schema.json'

const files = {
  'config/plugins.json': JSON.stringify({ rest: true, graphql: true }),
  [schemaFile]: noteSchema({ title: { type: 'string' } }),
}

/** A folder with an application of one content type, and of these files; without the files that are null. */
export async function application(t: Test, more: Readonly<Record<string, string | null>> = {}) {
  const dir = await realpath(await mkdtemp(join(tmpdir(), 'plinth-cli-')))
  t.teardown(() => rm(dir, { recursive: true, force: true, maxRetries: 5 }))
  const write = async (name: string, text: string) => {
    await mkdir(dirname(join(dir, name)), { recursive: true })
    await writeFile(join(dir, name), text)
  }
  for (const [name, text] of Object.entries({ ...files, ...more })) if (text !== null) await write(name, text)
  const port = await freePort()
  const env = { PORT: String(port), DATABASE_CLIENT: 'sqlite', DATABASE_FILENAME: join(dir, '.data/test.db') }
  return { dir, write, env, address: `http://127.0.0.1:${port}` }
}

/** Whether a process exists. */
export function exists(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
