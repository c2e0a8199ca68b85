// Runs test files again on a server: they get their database from `testClient()`.

import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import t from 'tap'
import { type Client, databases } from './databases.ts'

/**
 * Runs the tests of these files, and of all files in these folders, on one kind of server; if none answers, it only
 * prints a comment. The paths are relative to `folder`.
 */
export async function testOn(client: Client, folder: string, ...paths: string[]): Promise<void> {
  if (!(await databases()).includes(client)) return t.comment(`${client}: no server, not tested`)
  process.env.TEST_DATABASE = client
  for (const path of paths) {
    for (const file of await testsAt(join(folder, path))) await import(pathToFileURL(file).href)
  }
  // After the files, because a file that sets the time of its tests would set it for those of all files.
  t.setTimeout(1_200_000)
}

async function testsAt(path: string): Promise<string[]> {
  if (path.endsWith('.ts')) return [path]
  const names = await readdir(path)
  return names
    .filter(name => name.endsWith('.test.ts'))
    .sort()
    .map(name => join(path, name))
}
