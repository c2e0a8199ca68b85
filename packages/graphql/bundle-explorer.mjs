// Makes lib/explorer.js, lib/explorer.css and lib/explorer.LICENSES.txt of explorer/page.mjs: the explorer with GraphiQL
// and React in it, so that no browser loads anything from elsewhere and no application installs their packages.
// `pnpm pack` runs this too, perhaps while servers start from the same working copy: so each file is replaced in one
// step, and only if its content differs. JavaScript, because it runs before the version of Node that the workspace uses
// is installed. An installation for production has no esbuild, and no explorer.

import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { licensesOf } from '../../release/licenses.mjs'
import { replaceFile } from '../../release/replace-file.mjs'

const here = fileURLToPath(new URL('.', import.meta.url))
const target = join(here, 'lib')

const esbuild = await import('esbuild').catch(() => null)
if (esbuild !== null) await bundle()

async function bundle() {
  const { outputFiles, metafile } = await esbuild.build({
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
  for (const { path, text } of outputFiles) await replaceFile(path, text)
  await replaceFile(
    join(target, 'explorer.LICENSES.txt'),
    await licensesOf(Object.keys(metafile.inputs).map(file => join(here, file))),
  )
}
