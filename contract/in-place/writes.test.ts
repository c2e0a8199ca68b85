/**
 * The recorded writes as they are stored: places, times and components are those of v4, no row is left without an
 * owner, and no other row is changed.
 */

import { readFile } from 'node:fs/promises'
import type { Kernel } from '@plinth/kernel'
import { createServer } from '@plinth/server'
import type { OpenConnection } from '@plinth/test-tools/connections'
import type { Client } from '@plinth/test-tools/databases'
import { onEach } from '@plinth/test-tools/on-each'
import { copyDatabase, project, suitesOf } from '@plinth/test-tools/recordings'
import { missing, takeSnapshot } from '@plinth/test-tools/snapshot'
import type { FastifyInstance } from 'fastify'
import { divide, foreignNames, type RecordedStep } from './omitted.ts'
import { plugins } from './plugins.ts'

/** Sends all recorded writes and reads; each must be answered with the recorded status. */
async function send(app: FastifyInstance, client: Client): Promise<string[]> {
  const { steps } = JSON.parse(await readFile(suitesOf(client)[1]!, 'utf8')) as { steps: RecordedStep[] }
  const faults: string[] = []
  for (const { name, request, expect } of divide(steps, await foreignNames(project)).replayed) {
    const { method, path, body } = request
    const payload = body === undefined ? {} : { payload: body as object }
    const { statusCode } = await app.inject({ method: method as 'GET', url: path, ...payload })
    if (statusCode !== expect.status) faults.push(`${name}: ${statusCode}`)
  }
  return faults
}

/** The tables of Strapi itself and of its plugins. */
const isForeign = (line: string) => /^(strapi_|admin_|up_|upload_|files|i18n_)/.test(line)

/** A time in milliseconds, in the form in which each database's driver returns it. */
const moments: Readonly<Record<Client, RegExp>> = {
  sqlite: /^\d{13}n$/,
  mysql: /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}000$/,
  postgres: /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{1,3})?$/,
}

/** The tables with foreign keys: their columns, and the tables to which these refer. */
function references(kernel: Kernel): [table: string, column: string, target: string][] {
  const found: [string, string, string][] = []
  for (const type of kernel.contentTypes.values()) {
    if (type.hasComponents) found.push([`${type.table}_components`, 'entity_id', type.table])
    for (const attribute of type.attributes.values()) {
      if (attribute.kind !== 'relation' || !attribute.owner || attribute.storage.kind !== 'links') continue
      const { table, from, to } = attribute.storage
      found.push([table, from, type.table], [table, to, kernel.contentTypes.require(attribute.target!).table])
    }
  }
  return found
}

/** References to rows that do not exist, as `table.column id`. */
async function dangling(kernel: Kernel, opened: OpenConnection): Promise<string[]> {
  const lines: string[] = []
  for (const [table, column, target] of references(kernel)) {
    const text = `SELECT ${column} AS id FROM ${table} WHERE ${column} NOT IN (SELECT id FROM ${target}) OR ${column} IS NULL`
    for (const { id } of await opened.all(text)) lines.push(`${table}.${column} ${id}`)
  }
  return lines
}

/** The component rows without an entry, and the links to component rows that do not exist. */
async function strays(kernel: Kernel, opened: OpenConnection): Promise<string[]> {
  const types = kernel.contentTypes.values()
  const holders = types.filter(one => one.hasComponents).map(one => `${one.table}_components`)
  const lines: string[] = []
  for (const { uid, table } of types.filter(one => one.kind === 'component')) {
    const held = holders
      .map(one => `SELECT component_id AS id FROM ${one} WHERE component_type = '${uid}'`)
      .join(' UNION ALL ')
    for (const { id } of await opened.all(`SELECT id FROM ${table} WHERE id NOT IN (SELECT h.id FROM (${held}) h)`))
      lines.push(`${uid} ${id} belongs to no entry`)
    for (const { id } of await opened.all(`SELECT h.id FROM (${held}) h WHERE h.id NOT IN (SELECT id FROM ${table})`))
      lines.push(`${uid} ${id} is not there`)
  }
  return lines
}

/** The links of one entry as [target, place], and those that v4 stores for the same requests. */
const links: readonly [from: string, where: string, target: string, place: string, expected: [number, number][]][] = [
  // 18 was inserted before 2, 6 was added at the end, and 3 was removed. Deleting 2 leaves a gap in the places, as in
  // v4.
  [
    'articles_tags_links',
    'article_id = 1',
    'tag_id',
    'tag_order',
    [
      [11, 1],
      [18, 2],
      [6, 4],
    ],
  ],
  [
    'articles_tags_links',
    'article_id = 7',
    'tag_id',
    'tag_order',
    [
      [1, 1],
      [18, 2],
    ],
  ],
  [
    'articles_tags_links',
    'article_id = 65',
    'tag_id',
    'tag_order',
    [
      [18, 1],
      [5, 3],
    ],
  ],
  // In the order of the tags, the new one is last.
  [
    'articles_tags_links',
    'tag_id = 18',
    'article_id',
    'article_order',
    [
      [65, 1],
      [1, 2],
      [7, 3],
    ],
  ],
  [
    'products_related_links',
    'product_id = 3',
    'inv_product_id',
    'product_order',
    [
      [27, 1],
      [1, 2],
      [2, 3],
    ],
  ],
  ['categories_parent_links', 'inv_category_id = 3', 'category_id', 'category_order', [[10, 1]]],
]

await onEach('how the recorded writes are stored', async (t, client) => {
  const database = await copyDatabase(client)
  const app = await createServer({ dir: project, database: database.config, plugins, logger: false })
  const opened = await database.open()
  t.teardown(async () => {
    await opened.close()
    await app.close()
    await database.drop()
  })
  const before = await takeSnapshot(database)
  const strayed = await strays(app.kernel, opened)
  t.same(await send(app, client), [], 'all are answered')
  const after = await takeSnapshot(database)

  t.same([...missing(before, after), ...missing(after, before)].filter(isForeign), [], 'no other table is touched')
  t.same(await dangling(app.kernel, opened), [], 'no link leads nowhere')
  t.same(await strays(app.kernel, opened), strayed, 'no component is left behind or lost')

  for (const [table, where, target, place, expected] of links) {
    const rows = await opened.all(`SELECT ${target} AS a, ${place} AS b FROM ${table} WHERE ${where} ORDER BY ${place}`)
    t.same(
      rows.map(({ a, b }) => [Number(a), Number(b)]),
      expected,
      `${table}, ${where}`,
    )
  }

  const parts = await opened.all(
    `SELECT component_type, field FROM articles_components WHERE entity_id IN (1, 9) ORDER BY entity_id, field`,
  )
  t.same(
    parts.map(one => Object.values(one)),
    [['blocks.quote', 'blocks']],
    'the seo went, the zone is the new one',
  )

  const changed = missing(after, before).filter(line => line.includes('"updated_at"'))
  const values = changed.map(line => JSON.parse(line.slice(line.indexOf('{'))) as Record<string, string>)
  t.ok(values.length > 15, 'entries were made and changed')
  for (const { updated_at, created_at, published_at } of values) {
    for (const moment of [updated_at, created_at, published_at])
      if (moment) t.match(moment, moments[client], 'to the millisecond')
  }
})
