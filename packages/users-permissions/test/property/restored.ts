// Takes the content of a database and puts it back, with the ids that follow, so that a write can be repeated.

import type { Kernel, RelationAttribute } from '@plinth/kernel'
import { testClient } from '@plinth/test-tools/databases'
import { type Name, names, shapes, uidOf } from './world.ts'

type LinkTable = Extract<RelationAttribute['storage'], { kind: 'links' }>
type Rows = readonly Readonly<Record<string, unknown>>[]

/** The rows of all tables. */
export type Content = ReadonlyMap<string, Rows>

/** The table of the links of an attribute, seen from the side that owns it. */
export function linkTableOf(kernel: Kernel, name: Name, key: string): LinkTable {
  const { attributes } = kernel.contentTypes.require(uidOf(name))
  return (attributes.get(key) as RelationAttribute).storage as LinkTable
}

const entryTable = (name: Name) => `${name}s`

/** The tables of entries, and after them those of their links. */
function tablesOf(kernel: Kernel): string[] {
  const links = names.flatMap(name =>
    Object.entries(shapes[name].joins)
      .filter(([, { isOwner }]) => isOwner)
      .map(([key]) => linkTableOf(kernel, name, key).table),
  )
  return [...names.map(entryTable), ...links]
}

export async function take(kernel: Kernel): Promise<Content> {
  const content = new Map<string, Rows>()
  await kernel.transaction(async tx => {
    for (const table of tablesOf(kernel)) content.set(table, (await tx.knex(table).select().orderBy('id')) as Rows)
  })
  return content
}

/** Puts the rows back; the next entry of `name` gets the id that it would have had. */
export async function putBack(kernel: Kernel, content: Content, name: Name): Promise<void> {
  const tables = [...content.keys()]
  await kernel.transaction(async tx => {
    for (const table of tables.toReversed()) await tx.knex(table).del()
    for (const [table, rows] of content) if (rows.length > 0) await tx.knex(table).insert(rows as object[])
  })
  await countFrom(kernel, entryTable(name), lastIdOf(content, name))
}

export function lastIdOf(content: Content, name: Name): number {
  return Math.max(0, ...content.get(entryTable(name))!.map(({ id }) => Number(id)))
}

/** The next row of a table gets the id after `last`. */
async function countFrom(kernel: Kernel, table: string, last: number): Promise<void> {
  await kernel.transaction(async tx => {
    const client = testClient()
    if (client === 'sqlite') await tx.knex('sqlite_sequence').where({ name: table }).update({ seq: last })
    else if (client === 'mysql') await tx.knex.raw(`ALTER TABLE ${table} AUTO_INCREMENT = ${last + 1}`)
    else await tx.knex.raw(`SELECT setval(pg_get_serial_sequence('${table}', 'id'), ${last})`)
  })
}
