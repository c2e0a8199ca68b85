// Applications for PostgreSQL and for MySQL or MariaDB keep their content there, and run their tests without it.

import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { databases, freshDatabase } from '@plinth/test-tools/databases'
import t from 'tap'
import { create, folderFor, link, node, Server } from './fixtures/project.ts'

const languages = { mysql: 'ts', postgres: 'js' } as const

for (const client of await databases()) {
  if (client === 'sqlite') continue
  t.test(client, async t => {
    const parent = await folderFor(t)
    const dir = join(parent, 'library')
    const words = ['--database', client, '--language', languages[client], '--plugins', 'draft-publish', '--no-install']
    const made = await create(['library', ...words], parent)
    t.equal(made.code, 0, made.err)
    await link(dir)
    const tested = await node(['--test', `test/articles.test.${client === 'mysql' ? 'ts' : 'mjs'}`], dir)
    t.equal(tested.code, 0, tested.out)

    // What the command and the README ask for.
    const database = await freshDatabase(client)
    t.teardown(() => database.drop())
    const { DATABASE_CLIENT, ...address } = database.env
    const file = join(dir, '.env')
    const variables = parseEnv(await readFile(file, 'utf8'))
    t.same(
      Object.keys(address).filter(name => !(name in variables)),
      [],
      '.env has a line for each',
    )
    await writeFile(
      file,
      Object.entries({ ...variables, ...address })
        .map(([name, value]) => `${name}=${value}\n`)
        .join(''),
    )

    const server = await Server.start(t, dir)
    const data = { title: 'Ink', publishedAt: new Date().toISOString() }
    t.match(await server.post('/api/articles', { data }), { status: 200, body: { data: { id: 1 } } })
    t.match(await server.get('/api/articles/1'), { status: 200, body: { data: { attributes: { title: 'Ink' } } } })
    t.equal(await server.end(), 0)
    const opened = await database.open()
    t.match(await opened.all('SELECT title FROM articles'), [{ title: 'Ink' }], 'it is in that database')
    await opened.close()
  })
}
