// What plugins say of a database in the report of `plinth doctor`.

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { databases, freshDatabase } from '@plinth/test-tools/databases'
import t from 'tap'
import type { Report } from '../src/doctor.ts'
import { plinth } from './plinth.ts'

const plugin = `export default { plinth: {
  name: 'looker',
  register() {},
  async inspect({ tables, count, rows }) {
    const lists = [await rows('things', ['name', 'id']), await rows('things', ['nothing']), await rows('none', ['id'])]
    const counts = [await count('things'), await count('none')]
    return [JSON.stringify([tables.get('things'), lists, counts])]
  },
} }`

const failing = `export default { plinth: { name: 'failing', register() {}, inspect() { throw new Error('no') } } }`

for (const client of await databases()) {
  await t.test(`remarks (${client})`, async t => {
    const database = await freshDatabase(client)
    const dir = await mkdtemp(join(tmpdir(), 'plinth-cli-'))
    t.teardown(async () => {
      await rm(dir, { recursive: true, force: true })
      await database.drop()
    })
    const files = {
      'config/plugins.json': '{"looker":{"resolve":"./looker.mjs"},"failing":{"resolve":"./failing.mjs"}}',
      'looker.mjs': plugin,
      'failing.mjs': failing,
    }
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(dir, path)), { recursive: true })
      await writeFile(join(dir, path), text)
    }
    const opened = await database.open()
    await opened.run('CREATE TABLE things (id INTEGER, name VARCHAR(20))')
    await opened.run("INSERT INTO things VALUES (1, 'a')")
    await opened.close()
    const { code, out } = await plinth(['doctor', '--dir', dir, '--json'], database.env)
    const { differs } = JSON.parse(out) as Report
    t.equal(code, 0)
    const [remark, fault] = differs.remarks.slice(-2)
    t.same(JSON.parse(remark!), [
      ['id', 'name'],
      [[['a', 1]], [], []],
      [1, null],
    ])
    t.equal(fault, 'The plugin failing could not look at the database: no')
    const text = await plinth(['doctor', '--dir', dir], database.env)
    t.match(text.out, 'could not look at the database: no.')
  })
}
