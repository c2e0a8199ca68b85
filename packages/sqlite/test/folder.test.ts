// The folder of the file, which a start makes, or says that it cannot.

import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createKernel } from '@plinth/kernel'
import t, { type Test } from 'tap'

async function temporary(t: Test): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'plinth-sqlite-'))
  t.teardown(() => rm(dir, { recursive: true, force: true }))
  return dir
}

const open = (filename: string) => createKernel({ database: { client: 'sqlite', connection: { filename } } })

t.test('folders that are missing are made', async t => {
  const filename = join(await temporary(t), 'data', 'of', 'the site', 'shop.db')
  const kernel = await open(filename)
  await kernel.close()
  t.ok(existsSync(filename))
})

t.test('a folder that cannot be made ends the start', async t => {
  const file = join(await temporary(t), 'notes.txt')
  await writeFile(file, '')
  const filename = join(file, 'data', 'shop.db')
  await t.rejects(open(filename), {
    code: 'PLINTH_DATABASE_CONNECTION',
    message: new RegExp(`^config/database: cannot open ${filename}: ENOTDIR: not a directory, mkdir '${file}`),
  })
})

const skip = existsSync('/proc/self') ? false : 'the system has no /proc'

t.test('so does one where the system says that a folder above is missing, which is there', { skip }, async t => {
  for (const folder of ['/proc/shop', '/proc/self/data/of'])
    await t.rejects(open(`${folder}/shop.db`), {
      code: 'PLINTH_DATABASE_CONNECTION',
      message:
        /^config\/database: cannot open \/proc\/.*\/shop\.db: ENOENT: no such file or directory, mkdir '\/proc\//,
    })
})
