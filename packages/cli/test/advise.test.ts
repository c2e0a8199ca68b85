// `plinth advise`, and what `plinth doctor` says of indexes, on all databases.

import advice from '@plinth/advice'
import { createKernel } from '@plinth/kernel'
import { databases, freshDatabase } from '@plinth/test-tools/databases'
import t from 'tap'
import { application, Running, schemaFile, until } from './application.ts'
import { plinth, plinthProcess } from './plinth.ts'

const uid = 'api::note.note'
const configOf = (indexes: object) => `module.exports = { indexes: ${JSON.stringify(indexes)} }`
const schema = JSON.stringify({
  kind: 'collectionType',
  collectionName: 'notes',
  info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
  attributes: { title: { type: 'string' }, body: { type: 'text' } },
})

for (const client of await databases()) {
  await t.test(
    `the setting that is printed makes the indexes, and doctor lists what is left of it (${client})`,
    async t => {
      const database = await freshDatabase(client)
      t.teardown(() => database.drop())
      const app = await application(t, { 'config/plugins.json': '{ "rest": true }', [schemaFile]: schema })
      // In processes of their own: Node loads a file of the configuration once.
      const run = (...words: string[]) => plinthProcess([...words, '--dir', app.dir], database.env)
      t.match(await run('advise'), { code: 0, out: /^Nothing has been counted\. `plinth dev` counts/ })
      const plugins = { advice: { plugin: advice, config: { storeEvery: 3600, warnings: false } } }
      const kernel = await createKernel({ dir: app.dir, database: database.config, plugins })
      const rows = Array.from({ length: 4000 }, (_, i) => ({
        title: `Note ${(i * 7919) % 4000}`,
        body: 'x'.repeat(500),
      }))
      await kernel.knex.batchInsert('notes', rows, 400)
      for (let i = 0; i < 5; i++)
        await kernel.query(uid).findPage({ sort: 'title', pagination: { page: 100, pageSize: 25 } } as never)
      // What it takes depends on the machine.
      await kernel.close()
      const opened = await database.open()
      t.teardown(() => opened.close())
      await opened.run('UPDATE plinth_advice SET microseconds = 27500')

      const said = await run('advise')
      t.match(
        said.out,
        /^notes sorted by title: 5 requests, 5\.5 ms each, 4,000 rows sorted; "indexed": true on title, or database\.indexes\n/,
      )
      const [setting] = /^indexes: \{[\s\S]*?^\}/m.exec(said.out) ?? []
      t.equal(setting, `indexes: {\n  '${uid}': ['title'],\n}`)
      t.match(JSON.parse((await run('advise', '--json')).out), {
        requests: 5,
        advice: [{ uid, attributes: ['title'], rows: 4000 }],
      })

      await app.write('config/database.js', `module.exports = { ${setting} }`)
      t.match(await run('migrate', 'apply'), { code: 0, out: /^ran {6}index:plinth_notes_title_id$/m })
      t.match(await run('migrate', 'status'), { code: 0 })
      t.match((await run('advise')).out, /^No list lacks an index\. 5 lists that sort or filter were counted from /)

      await app.write('config/database.js', configOf({ [uid]: ['titel'] }))
      const wrong =
        /What stops a start\n {2}config\/database: .*"titel" is not an attribute of api::note\.note, did you mean "title"\?/
      t.match(await run('doctor'), { code: 1, out: wrong })
      await app.write('config/database.js', configOf({}))
      const { spareIndexes } = JSON.parse((await run('doctor', '--json')).out).differs
      t.match(spareIndexes, [
        {
          name: 'plinth_notes_title_id',
          table: 'notes',
          why: 'config/database does not name it any more',
          sql: /DROP INDEX/,
        },
      ])
      t.match(
        (await run('doctor')).out,
        /Indexes that could be dropped\n {2}plinth_notes_title_id of notes: config\/database does not name it/,
      )

      await app.write('config/database.js', configOf({ [uid]: ['title', 'title:desc'] }))
      await run('migrate', 'apply')
      await opened.run('UPDATE plinth_advice SET first_at = first_at - 7200000')
      const unused = JSON.parse((await run('doctor', '--json')).out).differs.spareIndexes as { name: string }[]
      t.ok(
        unused.some(one => one.name === 'plinth_notes_title_desc_id'),
        'an index that nobody uses',
      )
      await opened.run(`UPDATE plinth_advice SET index_name = 'plinth_notes_title_desc_id'`)
      const used = JSON.parse((await run('doctor', '--json')).out).differs.spareIndexes as { name: string }[]
      t.notOk(
        used.some(one => one.name === 'plinth_notes_title_desc_id'),
        'and one that a list has used',
      )
    },
  )
}

t.test('plinth dev counts lists', async t => {
  const app = await application(t, { [schemaFile]: schema, 'config/plugins.json': '{ "rest": true }' })
  const dev = new Running(t, ['dev', '--dir', app.dir], app.env)
  const isServed = () =>
    fetch(`${app.address}/api/notes?sort=title`).then(
      answer => answer.status === 200,
      () => false,
    )
  await until(isServed, () => 'an answer')
  const counted =
    /^No list lacks an index\. (?:One list that sorts or filters was|\d+ lists that sort or filter were) counted/
  // Counts are stored every few seconds. At an end they are stored, too, unless that takes the busy machine more than a second.
  let out = ''
  await until(
    async () => {
      out = (await plinth(['advise', '--dir', app.dir], app.env)).out
      return counted.test(out)
    },
    () => `counts, found ${out}`,
  )
  dev.process.kill('SIGTERM')
  await dev.ended
  t.match((await plinth(['advise', '--dir', app.dir], app.env)).out, counted)
})
