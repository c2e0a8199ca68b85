// All browser tests, on one server and in one Chromium: each scene is a file that exports what it shows. The variable
// SCENES runs some of them: `SCENES=lists,entry`.

import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { openStage, type Stage } from './fixtures/stage.ts'

t.setTimeout(900_000)

const folder = join(import.meta.dirname, 'scenes')
const wanted = process.env.SCENES?.split(',')
const names = (await readdir(folder)).map(file => file.replace(/\.ts$/, '')).sort()
const chosen = names.filter(name => wanted?.includes(name) ?? true)

t.test('the panel in Chromium', async t => {
  const stage = await openStage(t)
  for (const name of chosen) {
    const { default: play } = (await import(`./scenes/${name}.ts`)) as {
      default: (t: Test, stage: Stage) => Promise<void>
    }
    await t.test(name, async t => {
      await play(t, stage)
      await stage.close(t)
    })
  }
})
