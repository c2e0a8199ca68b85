/**
 * Law: no library with a published hole is accepted or installed. SECURITY.md lists the first versions without the holes
 * of section C of security.md; a range in a package.json begins at such a version or later, and so does what is installed.
 */

import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'

const root = join(import.meta.dirname, '../..')
const read = (path: string) => readFile(join(root, path), 'utf8')

type Version = readonly number[]

const versionOf = (text: string): Version => text.split('.').map(Number)

/** Whether `one` is before `other`. */
function isBefore(one: Version, other: Version): boolean {
  const i = other.findIndex((number, at) => number !== one[at])
  return i !== -1 && one[i]! < other[i]!
}

/** The first version that a range accepts; null for ranges without one, such as `workspace:^`. */
function firstOf(range: string): Version | null {
  const found = /^[\^~]?(\d+\.\d+\.\d+)$|^>=(\d+\.\d+\.\d+)$/.exec(range)
  return found === null ? null : versionOf((found[1] ?? found[2])!)
}

/** The minimum versions in the table of SECURITY.md. */
async function minimums(): Promise<ReadonlyMap<string, Version>> {
  const rows = (await read('SECURITY.md')).matchAll(/^\| `([^`]+)` *\| (\d+\.\d+\.\d+) *\|/gm)
  return new Map([...rows].map(([, name, version]) => [name!, versionOf(version!)]))
}

t.test('how versions are compared', async t => {
  t.ok(isBefore([5, 8, 0], [5, 8, 1]))
  t.ok(isBefore([4, 9, 9], [5, 0, 0]))
  t.notOk(isBefore([5, 8, 1], [5, 8, 1]))
  t.notOk(isBefore([6, 0, 0], [5, 8, 1]))
  t.same(['^5.8.1', '>=5.8.1', '~5.8.1', '5.8.1', 'workspace:^'].map(firstOf), [
    ...[[5, 8, 1], [5, 8, 1], [5, 8, 1], [5, 8, 1], null],
  ])
})

t.test('security.md row 88: no library with a known hole is accepted or installed', async t => {
  const least = await minimums()
  t.ok(least.size >= 5, 'SECURITY.md has the table')

  const fields = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies']
  let ranges = 0
  for await (const path of glob('{packages,apps}/*/package.json', { cwd: root })) {
    const manifest = JSON.parse(await read(path)) as Record<string, Record<string, string> | undefined>
    for (const [name, range] of fields.flatMap(field => Object.entries(manifest[field] ?? {}))) {
      const minimum = least.get(name)
      if (minimum === undefined) continue
      ranges++
      const first = firstOf(range)
      t.ok(first !== null && !isBefore(first, minimum), `${path}: ${name} ${range}`)
    }
  }
  t.ok(ranges > 5, 'ranges are found')

  const lock = await read('pnpm-lock.yaml')
  const installed = [...lock.matchAll(/^ {2}'?((?:@[\w-]+\/)?[\w.-]+)@(\d+\.\d+\.\d+)'?:$/gm)]
  t.ok(installed.length > 200, 'the lockfile is read')
  for (const [, name, version] of installed) {
    const minimum = least.get(name!)
    if (minimum !== undefined) t.notOk(isBefore(versionOf(version!), minimum), `pnpm-lock.yaml: ${name} ${version}`)
  }
})
