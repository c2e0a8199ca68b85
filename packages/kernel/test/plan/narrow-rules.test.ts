// Rules that few entries fulfil: they may choose the index by which a list is read, others must not.

import t, { type Test } from 'tap'
import { createContext, eq, isNotNull, linked, openAccess, type PlanDraft, perRequest } from '../../src/index.ts'
import { boot, raw, type, uid } from '../fixtures/boot.ts'

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
    perRequest(() => 'tenant 3'),
  ),
)

const rules: Record<string, (draft: PlanDraft) => void> = {
  broad: draft => draft.where(mine),
  narrow: draft => draft.where(mine, { narrow: true }),
  both: draft => {
    draft.where(mine, { narrow: true })
    draft.where(isNotNull('closedAt'))
  },
  linked: draft => draft.where(owned, { narrow: true }),
  'broad, linked': draft => draft.where(owned),
}

const entries = 100_000

const forms = { total: /^SELECT COUNT/, list: /^SELECT (?!COUNT).* LIMIT/, entry: /^SELECT .*\bt\."id" = \+\?/ }

/** A hundred thousand deals of two thousand tenants. */
async function start(t: Test) {
  const statements: { text: string; key: string }[] = []
  let key = ''
  const kernel = await boot(t, {
    contentTypes,
    configure: ({ hooks }) => {
      hooks.on('prePlan', { for: one => one.uid === uid('deal') }, draft => rules[draft.access.key]?.(draft))
      hooks.on('onStatement', text => void statements.push({ text, key }))
    },
  })
  const tenants = entries / 50
  await raw(
    kernel,
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${tenants})
     INSERT INTO "tenants" ("id", "name") SELECT i, 'tenant ' || i FROM n`,
  )
  await raw(
    kernel,
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${entries})
     INSERT INTO "deals" ("id", "tenant", "closed_at", "title") SELECT i, i % ${tenants}, i, 'deal ' || i FROM n`,
  )
  await raw(
    kernel,
    `INSERT INTO "deals_owner_links" ("deal_id", "tenant_id") SELECT "id", "tenant" FROM "deals" WHERE "tenant" > 0`,
  )
  const as = (name: string) => {
    key = name
    return kernel.query(uid('deal'), { ...createContext({ ...openAccess, key: name }), state: { tenant: 7 } })
  }
  /** The steps of the plan of the last statement of a caller. */
  const planOf = async (name: string, of: keyof typeof forms = 'list') => {
    const { text } = statements.filter(one => one.key === name && forms[of].test(one.text)).at(-1)!
    // Values do not choose the index: without statistics, the optimizer knows none.
    const explained = await raw(kernel, `EXPLAIN QUERY PLAN ${text.replaceAll('?', '1')}`)
    return explained.map(({ detail }) => String(detail)).join('; ')
  }
  return { kernel, as, planOf }
}

t.test('T5: a narrow rule reads the few entries and not the table', async t => {
  const { as, planOf } = await start(t)
  const pagination = { page: 1, pageSize: 25, withCount: true }
  for (const name of ['narrow', 'both']) {
    const page = await as(name).findPage({ pagination })
    t.equal(page.pagination.total, 50)
    t.same(page.entries.map(one => one.id).slice(0, 3), [7, 2007, 4007])
    t.match(await planOf(name), /SEARCH t USING INDEX \S*tenant\S* \(tenant=\?/i, name)
    t.match(await planOf(name, 'total'), /SEARCH t USING (?:COVERING )?INDEX \S*tenant/i, `${name}, its total`)
  }
  await as('narrow').findPage({ pagination, sort: 'title' })
  t.match(await planOf('narrow'), /SEARCH s USING INDEX \S*tenant/i, 'sorted by something else')
  t.equal((await as('linked').findPage({ pagination })).pagination.total, 50)
  t.match(
    await planOf('linked'),
    /SEARCH \S+ USING (?:COVERING )?INDEX \S*name\S* \(name=\?/i,
    'begins at the linked entry',
  )
})

t.test('other rules leave the order of the list to choose the index', async t => {
  const { as, planOf } = await start(t)
  t.equal((await as('broad').findPage({ pagination: { page: 1, pageSize: 25 } })).pagination.total, 50)
  t.match(await planOf('broad'), /\bt\b/)
  t.notMatch(await planOf('broad'), /tenant/i)
  t.match(await planOf('broad', 'total'), /tenant/i, 'totals may use any')
})

t.test('a linked entry is looked up for the rows of a list and for an entry, and not the other way', async t => {
  const { as, planOf } = await start(t)
  const pagination = { page: 1, pageSize: 25 }
  const { entries } = await as('broad, linked').findPage({ pagination })
  t.same(entries.map(one => one.id).slice(0, 3), [3, 2003, 4003])
  const probed =
    /(SCAN|SEARCH) t(?! USING INTEGER PRIMARY KEY).*CORRELATED.* \(deal_id=\?\).* USING INTEGER PRIMARY KEY/
  t.match(await planOf('broad, linked'), probed)
  for (const name of ['linked', 'broad, linked']) {
    const ids = [(await as(name).findOne(2003))?.id, (await as(name).findOne(2004))?.id]
    t.same(ids, [2003, undefined])
    t.match(await planOf(name, 'entry'), /SEARCH t USING INTEGER PRIMARY KEY .*; CORRELATED/, name)
  }
})
