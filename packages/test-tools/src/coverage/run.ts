#!/usr/bin/env node
// `measured tap …`: runs the tests of the package in the current folder, and stores the notes of record.ts in
// `.coverage`. A run of single files is not measured, because its result would say nothing about the package.

import { spawn } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const [program, ...words] = process.argv.slice(2)
const env = { ...process.env }
if (!words.some(word => !word.startsWith('-'))) {
  const folder = join(process.cwd(), '.coverage')
  // What comes from the cache of compiled modules is not measured block by block.
  delete env.NODE_COMPILE_CACHE
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
  writeFileSync(join(folder, 'run.json'), JSON.stringify({ databases: env.DATABASES?.split(',') ?? [] }))
  const preload = `--import=${new URL('record.ts', import.meta.url)}`
  env.PLINTH_COVERAGE = join(folder, 'notes')
  env.PLINTH_PRELOAD = preload
  env.NODE_OPTIONS = `${env.NODE_OPTIONS ?? ''} ${preload}`.trim()
}
const child = spawn(program!, words, { env, stdio: 'inherit', shell: process.platform === 'win32' })
child.once('error', error => {
  console.error(error.message)
  process.exitCode = 1
})
child.once('close', code => {
  process.exitCode = code ?? 1
})
