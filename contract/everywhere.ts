/** Runs tests once more on a server: they ask `fresh` and `boot` for the database they are on. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { type Client, databases } from './databases.ts'

/** The tests of these folders and files, on one kind of server; a remark where there is none on this machine. */
export async function testOn(client: Client, ...paths: string[]): Promise<void> {
  if (!(await databases()).includes(client)) return t.comment(`${client}: no server, not tested`)
  t.setTimeout(1_200_000)
  process.env.TEST_DATABASE = client
  for (const path of paths) for (const file of await testsAt(path)) await import(file)
}

async function testsAt(path: string): Promise<string[]> {
  if (path.endsWith('.ts')) return [`./${path}`]
  const names = await readdir(join(import.meta.dirname, path))
  return names
    .filter(name => name.endsWith('.test.ts'))
    .sort()
    .map(name => `./${path}/${name}`)
}
