// Builds the panel before the tests, if it is missing or older than its sources.

import { execFileSync } from 'node:child_process'
import { join } from 'node:path'

export function prepare(): void {
  execFileSync(process.execPath, [join(import.meta.dirname, '../build-panel.mjs')], { stdio: 'inherit' })
}

export function remove(): void {}
