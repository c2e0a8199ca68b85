/**
 * Plinth opens v4's database without changing any table, column, constraint or row. The indexes that it adds are listed
 * here.
 */

import { readFile } from 'node:fs/promises'
import { createServer } from '@plinth/server'
import type { TestDatabase } from '@plinth/test-tools/databases'
import { onEach } from '@plinth/test-tools/on-each'
import { copyDatabase, project, suitesOf } from '@plinth/test-tools/recordings'
import { missing, takeSnapshot } from '@plinth/test-tools/snapshot'
import type { Test } from 'tap'
import { divide, foreignNames, type RecordedStep } from './omitted.ts'
import { plugins } from './plugins.ts'

/** Opens the copy, sends all recorded reads, and closes it. */
async function serve(t: Test, database: TestDatabase): Promise<void> {
  const app = await createServer({ dir: project, database: database.config, plugins, logger: false })
  try {
    const [reads] = suitesOf(database.client)
    const { steps } = JSON.parse(await readFile(reads!, 'utf8')) as { steps: RecordedStep[] }
    const { replayed } = divide(steps, await foreignNames(project))
    const statuses = new Set<number>()
    for (const { request } of replayed)
      statuses.add((await app.inject({ method: 'GET', url: request.path })).statusCode)
    t.same([...statuses].sort(), [200, 400, 404], 'reads are answered')
  } finally {
    await app.close()
  }
}

/**
 * The indexes that Plinth adds to v4's tables: for unique attributes, for conditions of rules, and for the last place
 * among the links of a target.
 */
const added = [
  'articles: articles_locale_published_at_index (locale, published_at)',
  'articles_author_links: articles_author_links_last (person_id, article_order)',
  'articles_category_links: articles_category_links_last (category_id, article_order)',
  'articles_tags_links: articles_tags_links_last (tag_id, article_order)',
  'categories: unique categories_name_unique (name)',
  'categories_parent_links: categories_parent_links_last (inv_category_id, category_order)',
  'components_shop_variants: components_shop_variants_sku_index (sku)',
  'i18n_locale: unique i18n_locale_code_unique (code)',
  'landing_pages: landing_pages_locale_index (locale)',
  'landing_pages: unique landing_pages_heading_unique (heading)',
  'people: unique people_email_unique (email)',
  'products: unique products_name_unique (name)',
  'reviews: reviews_published_at_index (published_at)',
  'reviews_product_links: reviews_product_links_last (product_id, review_order)',
  'shop_orders: unique shop_orders_reference_unique (reference)',
  'site_settings: site_settings_locale_published_at_index (locale, published_at)',
]

/**
 * The definition of an index as `table: [unique] name (columns)`, independent of the database; other definitions are
 * returned unchanged.
 */
function sayIndex(text: string): string {
  const found = /^(\w+): (?:CREATE )?(UNIQUE )?(?:INDEX|KEY) (\S+) (?:ON \S+ )?(?:USING btree )?\((.+)\)$/.exec(text)
  if (found === null) return text
  const [, table, unique, name, columns] = found
  const bare = (quoted: string) => quoted.replaceAll(/["`]/g, '')
  const list = bare(columns!).split(/, ?/).join(', ')
  return `${table}: ${unique === undefined ? '' : 'unique '}${bare(name!)} (${list})`
}

await onEach('a v4 database that was opened and read', async (t, client) => {
  const database = await copyDatabase(client)
  t.teardown(() => database.drop())
  const before = await takeSnapshot(database)
  await serve(t, database)
  const after = await takeSnapshot(database)
  t.same(missing(before, after), [], 'nothing is altered')
  t.same(missing(after, before).map(sayIndex).sort(), added, 'what is added')
  await serve(t, database)
  t.same(missing(await takeSnapshot(database), after), [], 'the next time, nothing is added')
})

await onEach('rows with equal values of a unique attribute', async (t, client) => {
  const database = await copyDatabase(client)
  t.teardown(() => database.drop())
  const opened = await database.open()
  await opened.run("UPDATE products SET name = 'Twin' WHERE id IN (2, 3)")
  await opened.close()
  const before = await takeSnapshot(database)
  await serve(t, database)
  const after = await takeSnapshot(database)
  t.same(missing(before, after), [], 'stay as they are')
  const products = missing(after, before)
    .map(sayIndex)
    .filter(line => line.startsWith('products:'))
  t.same(products, ['products: products_name_unique_lookup (name)'], 'under an index that lets them')
  await serve(t, database)
  t.same(missing(await takeSnapshot(database), after), [], 'the next time, too')
})
