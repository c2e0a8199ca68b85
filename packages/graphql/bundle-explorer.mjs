// Makes lib/explorer.js, lib/explorer.css and lib/explorer.LICENSES.txt of explorer/page.mjs: the explorer with GraphiQL
// and React in it, so that no browser loads anything from elsewhere and no application installs their packages.
// `pnpm pack` runs this too, perhaps while servers start from the same working copy: so each file is replaced in one
// step, and only if its content differs. JavaScript, because it runs before the version of Node that the workspace uses
// is installed.

import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const here = fileURLToPath(new URL('.', import.meta.url))
const target = join(here, 'lib')

const { outputFiles, metafile } = await build({
  entryPoints: { explorer: join(here, 'explorer/page.mjs') },
  outdir: target,
  bundle: true,
  minify: true,
  format: 'iife',
  target: 'es2022',
  define: { 'process.env.NODE_ENV': '"production"' },
  loader: { '.woff2': 'dataurl' },
  legalComments: 'none',
  banner: { js: '/* Licenses: explorer.LICENSES.txt */' },
  absWorkingDir: here,
  logLevel: 'error',
  metafile: true,
  write: false,
})
await mkdir(target, { recursive: true })
for (const { path, text } of outputFiles) await replace(path, text)
await replace(join(target, 'explorer.LICENSES.txt'), await licensesOf(Object.keys(metafile.inputs)))

async function replace(path, text) {
  const current = await readFile(path, 'utf8').catch(() => null)
  if (text === current) return
  const temporary = `${path}.${process.pid}`
  await writeFile(temporary, text)
  await rename(temporary, path)
}

/** The names, versions and licenses of the packages whose files these are. */
async function licensesOf(files) {
  const folders = files.flatMap(file => /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(join(here, file))?.[1] ?? [])
  const texts = await Promise.all([...new Set(folders)].map(licenseOf))
  return [...new Set(texts)].sort().join(`\n${'-'.repeat(80)}\n\n`)
}

async function licenseOf(folder) {
  const { name, version, license } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
  const file = (await readdir(folder)).find(one => /^licen[cs]e/i.test(one))
  const text = file === undefined ? '' : `\n${(await readFile(join(folder, file), 'utf8')).trim()}\n`
  return `${name} ${version}: ${license}\n${text}`
}
