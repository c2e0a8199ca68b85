// Law: where a plugin is not enabled, the command line says which plugin adds the command. It loads no plugin for that, so its
// table is compared with them here.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { absentIn } from '../../packages/cli/src/absent-plugins.ts'
import { pluginsOf } from './plugins.ts'

t.test('commands of plugins that are not enabled', async t => {
  const dir = await mkdtemp(join(tmpdir(), 'plinth-commands-'))
  t.teardown(() => rm(dir, { recursive: true, force: true }))
  const words = [...(await pluginsOf())].flatMap(([name, { plinth }]) =>
    Object.keys(plinth.commands ?? {}).map(word => [word, name] as const),
  )
  t.ok(words.length > 4, 'plugins add commands')
  for (const [word, name] of words) {
    const begin = `"${word}" is a command of the plugin ${name}`
    t.match(absentIn(dir, word), `${begin}; ${dir} contains no application`)
  }
})
