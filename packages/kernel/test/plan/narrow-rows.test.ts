// How many rows servers read for lists with rules that few entries fulfil (trap T5). The plans of SQLite are in
// narrow-rules.test.ts.

import t, { type Test } from 'tap'
import {
  createContext,
  eq,
  isNotNull,
  type Kernel,
  linked,
  openAccess,
  type PlanDraft,
  perRequest,
} from '../../src/index.ts'
import { boot, client, raw, type, uid } from '../fixtures/boot.ts'

const contentTypes = [
  type('tenant', { name: { type: 'string', indexed: true } }),
  type('deal', {
    tenant: { type: 'integer', indexed: true },
    closedAt: { type: 'datetime', indexed: true },
    owner: { type: 'relation', relation: 'manyToOne', target: uid('tenant') },
    title: { type: 'string' },
  }),
]

const mine = eq(
  'tenant',
  perRequest(({ state }) => state.tenant),
)
const owned = linked(
  'owner',
  eq(
    'name',
    perRequest(({ state }) => `tenant ${state.tenant}`),
  ),
)

const rules: Record<string, (draft: PlanDraft) => void> = {
  narrow: draft => draft.where(mine, { narrow: true }),
  both: draft => {
    draft.where(mine, { narrow: true })
    draft.where(isNotNull('closedAt'))
  },
  linked: draft => draft.where(owned, { narrow: true }),
}

const tenants = 800
const ofEach = 50
const entries = tenants * ofEach

/** Deals of eight hundred tenants, and the statistics of a database that has been in use. */
async function start(t: Test) {
  const statements: string[] = []
  const kernel = await boot(t, {
    contentTypes,
    configure: ({ hooks }) => {
      hooks.on('prePlan', { for: one => one.uid === uid('deal') }, draft => rules[draft.access.key]?.(draft))
      hooks.on('onStatement', text => void statements.push(text))
    },
  })
  const insert = async (table: string, columns: string, rows: readonly string[]) => {
    for (let at = 0; at < rows.length; at += 5000)
      await raw(kernel, `INSERT INTO "${table}" (${columns}) VALUES ${rows.slice(at, at + 5000).join()}`)
  }
  const ids = Array.from({ length: entries }, (_, i) => i + 1)
  const tenantOf = (id: number) => (id % tenants) + 1
  await insert(
    'tenants',
    '"id", "name"',
    ids.slice(0, tenants).map(id => `(${id}, 'tenant ${id}')`),
  )
  await insert(
    'deals',
    '"id", "tenant", "closed_at", "title"',
    ids.map(id => `(${id}, ${tenantOf(id)}, '2024-01-01', 'deal ${id}')`),
  )
  await insert(
    'deals_owner_links',
    '"deal_id", "tenant_id"',
    ids.map(id => `(${id}, ${tenantOf(id)})`),
  )
  for (const table of ['tenants', 'deals', 'deals_owner_links'])
    await raw(kernel, `ANALYZE ${client() === 'mysql' ? 'TABLE ' : ''}"${table}"`)
  return {
    kernel,
    /** The statements of a page of a tenant, for a caller with one of the rules. */
    async pageOf(key: string, params: object) {
      const context = { ...createContext({ ...openAccess, key }), state: { tenant: 8 } }
      statements.length = 0
      const page = await kernel.query(uid('deal'), context).findPage(params)
      return { ...page, statements: statements.filter(text => /^SELECT/.test(text)) }
    },
    rowsOf: (text: string) => (client() === 'mysql' ? readByHandlers : readByNodes)(kernel, withValues(text)),
  }
}

/** The statement with the values that a caller of tenant 8 binds. */
function withValues(text: string): string {
  return text
    .replace(/(?<=(?:"name"|`name`|nopad_bin|AS BINARY\)) = )(?:\?|\$\d+)/g, "'tenant 8'")
    .replace(/(?<=\b(?:LIMIT|OFFSET) )(?:\?|\$\d+)/g, '25')
    .replace(/\?|\$\d+/g, "'8'")
}

/** MariaDB and MySQL count what they read from tables and indexes. */
async function readByHandlers(kernel: Kernel, text: string): Promise<number> {
  return kernel.transaction(async tx => {
    const count = async () => {
      const [rows] = await tx.knex.raw("SHOW SESSION STATUS LIKE 'Handler_read%'")
      return (rows as { Value: string }[]).reduce((sum, { Value }) => sum + Number(Value), 0)
    }
    const before = await count()
    const own = (await count()) - before
    await tx.knex.raw(text)
    return (await count()) - before - 2 * own
  })
}

interface Node {
  readonly Plans?: readonly Node[]
  readonly [what: string]: unknown
}

/** PostgreSQL says for each node of a plan how many rows it had, and how many a filter removed. */
async function readByNodes(kernel: Kernel, text: string): Promise<number> {
  const [row] = await raw(kernel, `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`)
  const [{ Plan }] = row!['QUERY PLAN'] as [{ Plan: Node }]
  const read = (node: Node): number => {
    const removed = Number(node['Rows Removed by Filter'] ?? 0)
    const own = (Number(node['Actual Rows']) + removed) * Number(node['Actual Loops'])
    return own + (node.Plans ?? []).reduce((sum, one) => sum + read(one), 0)
  }
  return read(Plan)
}

t.test('T5: servers read the few entries and not the table', { skip: client() === 'sqlite' }, async t => {
  const { pageOf, rowsOf } = await start(t)
  const pagination = { page: 1, pageSize: 25, withCount: true }
  const whole = await pageOf('open', { pagination, filters: { title: { $contains: 'no such deal' } } })
  t.ok(Math.max(...(await Promise.all(whole.statements.map(rowsOf)))) >= entries, 'the measure: a scan is seen')
  for (const key of ['narrow', 'both', 'linked'])
    for (const sort of ['id', 'title', 'closedAt:desc']) {
      const { entries: found, pagination: shown, statements } = await pageOf(key, { pagination, sort: [sort, 'id'] })
      t.equal(shown.total, ofEach)
      t.equal(found[0]?.id, sort === 'title' ? 10_407 : 7)
      t.ok(statements.length >= 2, 'the list and its total')
      for (const text of statements) {
        const rows = await rowsOf(text)
        t.ok(rows >= 25 && rows < 20 * ofEach, `${key} by ${sort}: ${rows} rows for ${text}`)
      }
    }
})
