// Makes lib/documentation.js, lib/documentation.css and lib/documentation.LICENSES.txt of documentation/page.mjs: the page
// with Swagger UI in it, so that no browser loads anything from elsewhere and no application installs its package.
// `pnpm pack` runs this too, perhaps while servers start from the same working copy: so each file is replaced in one
// step, and only if its content differs. JavaScript, because it runs before the version of Node that the workspace uses
// is installed. An installation for production has no esbuild, and no page.

import { mkdir, readFile } from 'node:fs/promises'
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
    entryPoints: { documentation: join(here, 'documentation/page.mjs') },
    outdir: target,
    bundle: true,
    minify: true,
    format: 'iife',
    target: 'es2022',
    define: { 'process.env.NODE_ENV': '"production"' },
    legalComments: 'none',
    banner: { js: '/* Licenses: documentation.LICENSES.txt */' },
    absWorkingDir: here,
    logLevel: 'error',
    metafile: true,
    write: false,
  })
  await mkdir(target, { recursive: true })
  for (const { path, text } of outputFiles) await replaceFile(path, text)
  const licenses = await licensesOf(Object.keys(metafile.inputs).map(file => join(here, file)))
  // What the file of Swagger UI contains, as it says itself.
  const contained = ['NOTICE', 'swagger-ui-es-bundle.js.LICENSE.txt'].map(name =>
    readFile(join(here, 'node_modules/swagger-ui-dist', name), 'utf8'),
  )
  await replaceFile(
    join(target, 'documentation.LICENSES.txt'),
    [licenses, ...(await Promise.all(contained))].join('\n'),
  )
}
