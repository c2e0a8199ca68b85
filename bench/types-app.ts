// An application with many content types, which are like each other, and its server. `node types-app.ts DIR` serves it on
// SQLite and sends its address to its parent, with the milliseconds of its start.

import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createServer } from '@plinth/server'

/** The entries of each type. */
export const ENTRIES = 30

/** The name of the n-th type of `count`, of letters alone. It leads to the next one, and the last one to the first. */
export const nameOf = (n: number, count: number) =>
  `thing${[...String(n % count)].map(digit => 'abcdefghij'[Number(digit)]).join('')}`

const uidOf = (name: string) => `api::${name}.${name}`

const schemaOf = (n: number, count: number) => {
  const name = nameOf(n, count)
  const next = uidOf(nameOf(n + 1, count))
  const before = uidOf(nameOf(n + count - 1, count))
  return {
    kind: 'collectionType',
    collectionName: `${name}s`,
    info: { singularName: name, pluralName: `${name}s`, displayName: name },
    options: { draftAndPublish: true },
    attributes: {
      title: { type: 'string', required: true },
      slug: { type: 'uid', targetField: 'title' },
      summary: { type: 'text' },
      kind: { type: 'enumeration', enum: ['news', 'essay'] },
      views: { type: 'integer' },
      featured: { type: 'boolean' },
      extra: { type: 'json' },
      seo: { type: 'component', repeatable: false, component: 'shared.seo' },
      cover: { type: 'media', multiple: false, allowedTypes: ['images'] },
      next: { type: 'relation', relation: 'manyToOne', target: next, inversedBy: 'before' },
      before: { type: 'relation', relation: 'oneToMany', target: before, mappedBy: 'next' },
    },
  }
}

/** Writes the files of an application with so many types. */
export function writeApplication(dir: string, count: number): void {
  const seo = { collectionName: 'seos', info: { displayName: 'Seo' }, attributes: { metaTitle: { type: 'string' } } }
  const files: Record<string, object> = { 'src/components/shared/seo.json': seo }
  for (let n = 0; n < count; n++) {
    const name = nameOf(n, count)
    files[`src/api/${name}/content-types/${name}/schema.json`] = schemaOf(n, count)
  }
  for (const [path, value] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true })
    writeFileSync(join(dir, path), JSON.stringify(value))
  }
}

const open = (dir: string) =>
  createServer({
    dir,
    database: { client: 'sqlite', connection: { filename: join(dir, 'bench.db') }, useNullAsDefault: true },
    plugins: { rest: true, graphql: true, 'draft-publish': true, upload: true },
    logger: false,
  })

/** Makes the tables of an application, and the entries of its first `used` types. Returns the milliseconds of the start. */
export async function fillApplication(dir: string, count: number, used: number): Promise<number> {
  const began = performance.now()
  const app = await open(dir)
  await app.ready()
  const start = performance.now() - began
  // From the last type to the first, so that the entries that `next` leads to are there.
  for (let n = used - 1; n >= 0; n--) {
    const uid = uidOf(nameOf(n, count))
    await app.kernel.transaction(async () => {
      for (let entry = 1; entry <= ENTRIES; entry++) {
        const data = {
          title: `Thing ${entry}`,
          slug: `thing-${n}-${entry}`,
          summary: 'A text of some words. '.repeat(5),
          kind: 'news',
          views: entry,
          featured: true,
          extra: { entry },
          seo: { metaTitle: `Thing ${entry}` },
          ...(n + 1 < used && { next: entry }),
          publishedAt: new Date().toISOString(),
        }
        await app.kernel.query(uid).create({ data })
      }
    })
  }
  await app.close()
  return start
}

if (process.argv[1] === import.meta.filename) {
  const began = performance.now()
  const app = await open(process.argv[2]!)
  const address = await app.listen({ host: '127.0.0.1', port: 0 })
  process.on('SIGTERM', () => process.exit(0))
  process.send?.({ address, start: performance.now() - began })
}
