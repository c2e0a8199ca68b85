/**
 * The tables that Plinth's plugins make themselves are known to the commands, which neither report nor drop those of a
 * plugin that is not enabled.
 */

import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Plugin } from '@plinth/kernel'
import t from 'tap'
import { ownTables } from '../../packages/cli/src/open.ts'
import { root } from '../laws/imports.ts'

t.test('the commands know the own tables of all plugins', async t => {
  const tables: string[] = []
  for await (const file of glob('packages/*/package.json', { cwd: root })) {
    const source = await readFile(join(root, file, '../src/index.ts'), 'utf8').catch(() => '')
    if (!/^export default definePlugin\(/m.test(source)) continue
    const { default: plugin } = (await import(join(root, file, '../src/index.ts'))) as { readonly default: Plugin }
    tables.push(...Object.keys(plugin.plinth.ownTables ?? {}))
  }
  t.ok(tables.length > 6, `${tables.length} tables`)
  t.same([...tables, 'plinth_import'].sort(), ownTables)
})
