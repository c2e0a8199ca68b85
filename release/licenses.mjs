// The licenses of packages whose code another file contains. JavaScript, because it runs before the version of Node that
// the workspace uses is installed.

import { readdir, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'

/** The names, versions and licenses of the packages whose files these are. Paths are relative to the current folder. */
export async function licensesOf(files) {
  const folders = files.flatMap(file => /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(resolve(file))?.[1] ?? [])
  const texts = await Promise.all([...new Set(folders)].map(licenseOf))
  return [...new Set(texts)].sort().join(`\n${'-'.repeat(80)}\n\n`)
}

async function licenseOf(folder) {
  const { name, version, license } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
  const file = (await readdir(folder)).find(one => /^licen[cs]e/i.test(one))
  const text = file === undefined ? '' : `\n${(await readFile(join(folder, file), 'utf8')).trim()}\n`
  return `${name} ${version}: ${license}\n${text}`
}
