#!/usr/bin/env node
// `compile …`: runs the native compiler with these arguments, as the script `build` of a package does.

import { spawn } from 'node:child_process'
import { nativeCompiler } from './compiler.ts'

const child = spawn(process.execPath, [nativeCompiler, ...process.argv.slice(2)], { stdio: 'inherit' })
child.once('close', code => {
  process.exitCode = code ?? 1
})
