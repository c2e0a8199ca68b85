// Makes the modules that the manifest of a package names, dist/index.js and so on, lead to the sources, so that the
// packages of this workspace run without a build; `pnpm build` replaces them. The manifests can then name what is packed,
// which every tool understands: npm, and pnpm when it deploys. Without arguments it is the script `prepare` of the
// package in the current folder, and leaves what is built alone. With --all it removes what is built, in every package.
// JavaScript without dependencies, because it runs before the version of Node that the workspace uses is installed, and
// in installations for production.

import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

if (process.argv[2] === '--all') for (const folder of await packages()) await unbuild(folder)
else await linkSources('.')

async function packages() {
  const folder = fileURLToPath(new URL('../packages', import.meta.url))
  const folders = (await readdir(folder)).map(name => join(folder, name))
  return folders.filter(one => existsSync(join(one, 'package.json')))
}

async function unbuild(folder) {
  await rm(join(folder, 'dist'), { recursive: true, force: true })
  await linkSources(folder)
}

async function linkSources(folder) {
  const { exports, bin = {}, scripts } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
  if (scripts.build === undefined) return
  const modules = Object.values(exports).flatMap(one => one.default ?? [])
  // A command is a file that is always there, because pnpm links commands before it runs this.
  if (Object.keys(bin).length > 0) modules.push('./dist/bin.js')
  for (const path of modules) await linkSource(folder, path)
}

async function linkSource(folder, path) {
  const target = join(folder, path)
  if (existsSync(target)) return
  const source = join(folder, path.replace('dist', 'src').replace(/\.js$/, '.ts'))
  const specifier = `'${relative(dirname(target), source).replaceAll('\\', '/')}'`
  const hasDefault = /^export default /m.test(await readFile(source, 'utf8'))
  const lines = ['// Not built: leads to the source.', `export * from ${specifier}`]
  if (hasDefault) lines.push(`export { default } from ${specifier}`)
  await mkdir(dirname(target), { recursive: true })
  const text = `${lines.join('\n')}\n`
  await replace(target.replace(/\.js$/, '.d.ts'), text)
  await replace(target, text)
}

/** In one step, because servers may start from this working copy meanwhile. */
async function replace(path, text) {
  const temporary = `${path}.${process.pid}`
  await writeFile(temporary, text)
  await rename(temporary, path)
}
