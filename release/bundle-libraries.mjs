// Makes lib/<name>.js of each lib/<name>.d.ts of the package in the current folder: the libraries that the file exports,
// in one module without imports, and lib/<name>.LICENSES.txt. What a library needs is then not installed with Plinth, and
// starts load one module instead of hundreds. `pnpm pack` runs this too, perhaps while servers start from the same
// working copy: so each file is replaced in one step, and only if its content differs. JavaScript, because it runs before
// the version of Node that the workspace uses is installed. An installation for production has no esbuild, and its
// modules export what they find installed.

import { glob, readFile, rename, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, resolve } from 'node:path'
import { licensesOf } from './licenses.mjs'

/** Bundled modules of the form CommonJS load those of Node by it. */
const requireForCommonJs = "import { createRequire } from 'node:module'\nconst require = createRequire(import.meta.url)"
const requireInPackage = createRequire(resolve('package.json'))
const esbuild = loadEsbuild()
for await (const source of glob('lib/*.d.ts')) {
  const target = source.replace(/\.d\.ts$/, '')
  const current = await readFile(`${target}.js`, 'utf8').catch(() => null)
  if (esbuild !== null) await bundle(source, target)
  else if (current === null) await replace(`${target}.js`, await reexports(source))
}

/** The esbuild of the package in the current folder, or null if it is not installed. */
function loadEsbuild() {
  try {
    return requireInPackage('esbuild')
  } catch {
    return null
  }
}

async function bundle(source, target) {
  const { outputFiles, metafile } = await esbuild.build({
    entryPoints: [source],
    bundle: true,
    format: 'esm',
    platform: 'node',
    banner: { js: `// Licenses: ${basename(target)}.LICENSES.txt\n${requireForCommonJs}` },
    logLevel: 'warning',
    metafile: true,
    write: false,
  })
  await replace(`${target}.js`, outputFiles[0].text)
  await replace(`${target}.LICENSES.txt`, await licensesOf(Object.keys(metafile.inputs)))
}

/** The lines of the source without their types. */
async function reexports(source) {
  return (await readFile(source, 'utf8')).replaceAll(/\btype \w+, /g, '')
}

async function replace(path, text) {
  const current = await readFile(path, 'utf8').catch(() => null)
  if (text === current) return
  const temporary = `${path}.${process.pid}`
  await writeFile(temporary, text)
  await rename(temporary, path)
}
