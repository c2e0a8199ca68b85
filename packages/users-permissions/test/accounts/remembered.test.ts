// The bounds of what is remembered of checked headers: 10,000 of them, for less than 5 seconds (security.md row 58).

import type { Access } from '@plinth/kernel'
import { stopClock } from '@plinth/test-tools/stopped-clock'
import t from 'tap'
import { Strategies, type StrategyTools } from '../../src/accounts/strategies.ts'
import type { Role } from '../../src/roles/role.ts'

/** Strategies whose tokens are the ids of users, and the look-ups of these. */
function open() {
  const lookups: number[] = []
  const role = { id: 1 } as Role
  const tools: StrategyTools = {
    tokens: {
      read: (text: string) => ({ userId: Number(text.replaceAll('.', '')), issuedAt: 0, endsAt: Date.now() + 1e9 }),
    } as StrategyTools['tokens'],
    roles: {
      all: [],
      public: role,
      publicAccess: {} as Access,
      ofUser: () => role,
      accessOf: (_, user) => ({ key: 'role 1', can: () => true, user }) as unknown as Access,
      refresh: () => undefined,
      userPopulate: {},
    },
    async findCaller(id) {
      lookups.push(id)
      return { user: { id }, roleId: 1, isBlocked: false, isConfirmed: true, validFrom: null }
    },
    needsConfirmation: () => false,
  }
  const { jwt } = new Strategies(tools)
  return {
    /** Sends a header, and returns whether the user was looked up. */
    async looksUp(id: number, padding = ''): Promise<boolean> {
      lookups.length = 0
      const headers = { authorization: `Bearer ${padding}${id}` }
      const access = await jwt.authenticate({ headers } as never)
      if ((access?.user as { id: number } | null)?.id !== id) throw new Error(`The caller of ${id} is another one`)
      return lookups.length > 0
    },
  }
}

t.test('security.md row 58: at most 10,000 headers are remembered, and the oldest is forgotten', async t => {
  stopClock(t)
  const { looksUp } = open()
  for (let id = 1; id <= 10_000; id++) await looksUp(id)
  t.equal(await looksUp(1), false, 'all of 10,000 are remembered')
  t.equal(await looksUp(10_000), false)
  t.equal(await looksUp(10_001), true)
  let remembered = 0
  for (let id = 10_001; id > 1; id--) if (!(await looksUp(id))) remembered++
  t.equal(remembered, 10_000)
  t.equal(await looksUp(1), true, 'the oldest is not')
})

t.test('security.md row 58: a header is checked again within 5 seconds, however often it is sent', async t => {
  const { pass } = stopClock(t)
  const { looksUp } = open()
  t.equal(await looksUp(1), true)
  const checkedAt: number[] = []
  for (let second = 0.1; second < 30; second += 0.1) {
    pass(100)
    if (await looksUp(1)) checkedAt.push(second)
  }
  const gaps = checkedAt.map((at, i) => at - (checkedAt[i - 1] ?? 0))
  t.ok(gaps.length >= 6 && Math.max(...gaps) < 5, `${gaps.map(gap => gap.toFixed(1)).join()} s`)
  t.ok(Math.min(...gaps) > 1, 'and not with each request')
})

t.test('long headers take no more memory', async t => {
  stopClock(t)
  const { looksUp } = open()
  const padding = '.'.repeat(7_000)
  for (let id = 1; id <= 1000; id++) await looksUp(id, padding)
  let remembered = 0
  for (let id = 1000; id >= 1; id--) {
    if (await looksUp(id, padding)) break
    remembered++
  }
  t.ok(remembered > 100 && remembered * 7_000 <= 4_000_000, `${remembered} of 7,000 characters`)
})
