// Makes lib/typebox.js of lib/typebox.d.ts, whose comment says why. `pnpm pack` runs this too, perhaps while servers
// start from the same working copy: so the file is replaced in one step, and only if its content differs.
// JavaScript, because it runs before the version of Node that the workspace uses is installed.

import { readFile, rename, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const source = fileURLToPath(new URL('lib/typebox.d.ts', import.meta.url))
const target = fileURLToPath(new URL('lib/typebox.js', import.meta.url))

const { outputFiles } = await build({
  entryPoints: [source],
  bundle: true,
  format: 'esm',
  platform: 'node',
  banner: { js: '// Made of typebox, MIT License, Copyright (c) 2017-2026 Haydn Paterson.' },
  logLevel: 'warning',
  write: false,
})
const [{ text }] = outputFiles
const current = await readFile(target, 'utf8').catch(() => null)
if (text !== current) {
  const temporary = `${target}.${process.pid}`
  await writeFile(temporary, text)
  await rename(temporary, target)
}
