/**
 * Every invariant of concurrent writes is violated by hand and must be found: a query that finds nothing proves nothing
 * otherwise.
 */

import { createServer } from '@plinth/server'
import t from 'tap'
import { fresh, testClient } from '../boot.ts'
import { Invariants } from './invariants.ts'
import { applications } from './workshop.ts'

const client = testClient()
const order = client === 'mysql' ? '`order`' : '"order"'
const gone = 999_999

/** Statements that disable the checks of a database, so that a test can store what it would refuse. */
const unguarded = {
  sqlite: 'PRAGMA foreign_keys = OFF; DROP INDEX workshop_boxs_code_unique',
  mysql: 'SET foreign_key_checks = 0; DROP INDEX workshop_boxs_code_unique ON workshop_boxs',
  postgres:
    'ALTER TABLE workshop_boxs_labels_links DROP CONSTRAINT workshop_boxs_labels_links_inv_fk; DROP INDEX workshop_boxs_code_unique',
}[client]

t.test('violated invariants are found', async t => {
  const test = await fresh(t)
  const app = await createServer({ ...applications.contract, database: test.config, logger: false })
  t.teardown(() => app.close())
  const { kernel } = app
  const make = async (name: string, data: object) => (await kernel.query(`api::${name}.${name}`).create({ data })).id
  const labels = [await make('label', {}), await make('label', {})]
  const keepers = [await make('keeper', {}), await make('keeper', {})]
  const [, spare] = keepers
  const parts = [{ word: 'a' }, { word: 'b' }]
  const box = await make('box', { name: 'one', labels, keeper: keepers[0], parts, lid: { word: 'lid' } })
  const other = await make('box', { name: 'two', labels, parts })
  const folder = await make('folder', { items: [{ id: labels[0], __type: 'api::label.label' }] })
  const lines = [{ word: 'line', marks: [{ word: 'mark' }] }]
  const english = await make('brochure', { title: 'en', paper: 'thin', lines })
  const french = await make('brochure', { title: 'fr', locale: 'fr', localizations: [english] })
  await kernel.query('api::notice.notice').create({ data: { title: 'first' } })

  const database = await test.open()
  t.teardown(() => database.close())
  const hang = (owner: number, component: string, field: string, place: number) =>
    `INSERT INTO workshop_boxs_components (entity_id, component_id, component_type, field, ${order}) VALUES (${owner}, ${component}, 'workshop.${field === 'lid' ? 'lid' : 'part'}', '${field}', ${place})`
  const firstLid = '(SELECT l.id FROM (SELECT MIN(id) AS id FROM components_workshop_lids) l)'
  const breaks: Readonly<Record<string, string>> = {
    'places of components are 1 to n': `UPDATE workshop_boxs_components SET ${order} = 5 WHERE entity_id = ${box} AND ${order} = 2`,
    'no component without a parent': "INSERT INTO components_workshop_lids (word) VALUES ('alone')",
    'no link to a component that is gone': hang(other, String(gone), 'parts', 3),
    'no component with two parents': hang(other, firstLid, 'lid', 1),
    'one component at most in a field for one': hang(other, `${firstLid} + 1`, 'lid', 2),
    'no polymorphic link to an entry that is gone': `INSERT INTO workshop_folders_items_morphs (folder_id, items_id, items_type) VALUES (${folder}, ${gone}, 'api::stamp.stamp')`,
    'links are there once': `INSERT INTO workshop_folders_items_morphs (folder_id, items_id, items_type) VALUES (${folder}, ${labels[0]}, 'api::label.label')`,
    'what a relation calls one is one': `INSERT INTO workshop_boxs_keeper_links (box_id, keeper_id, box_order) VALUES (${box}, ${spare}, 1)`,
    'places of links are unique': `UPDATE workshop_boxs_labels_links SET label_order = 1 WHERE box_id = ${box}`,
    'places of links on the other side are unique': `UPDATE workshop_boxs_labels_links SET box_order = 1 WHERE label_id = ${labels[0]}`,
    'no link to an entry that is gone': `INSERT INTO workshop_boxs_labels_links (box_id, label_id) VALUES (${box}, ${gone})`,
    'translations share scalar values': `UPDATE workshop_brochures SET paper = NULL WHERE id = ${french}`,
    'translations share components': `UPDATE components_workshop_marks SET word = 'another' WHERE id = (SELECT m.id FROM (SELECT MAX(id) AS id FROM components_workshop_marks) m)`,
    'one translation in a locale': `UPDATE workshop_brochures SET locale = 'en' WHERE id = ${french}`,
    'translations are linked with each other': `DELETE FROM workshop_brochures_localizations_links WHERE brochure_id = ${french}`,
    'unique values are there once': "UPDATE workshop_boxs SET code = 'same'",
    'unique values of components have one owner': "UPDATE components_workshop_parts SET serial = 'same'",
    'published entries have what is required': 'UPDATE workshop_brochures SET title = NULL',
    'a single type has one entry': "INSERT INTO workshop_notices (title) VALUES ('second')",
  }

  const invariants = new Invariants(kernel.contentTypes.values(), client)
  const broken = async () => new Set((await invariants.check(database)).map(one => one.invariant))
  t.same([...(await broken())], [], 'what was written one after the other is whole')
  await database.run(unguarded)
  for (const [name, sql] of Object.entries(breaks)) {
    t.notOk((await broken()).has(name), `whole: ${name}`)
    await database.run(sql)
    t.ok((await broken()).has(name), `broken: ${name}`)
  }
  t.same(Object.keys(breaks).sort(), [...invariants.names].sort(), 'all of them were broken')
})
