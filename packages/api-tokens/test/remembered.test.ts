// The bounds of what is remembered of checked tokens: 10,000 of them, for less than 5 seconds (security.md rows 58 and 59).

import type { Kernel } from '@plinth/kernel'
import { stopClock } from '@plinth/test-tools/stopped-clock'
import t from 'tap'
import { Tokens } from '../src/tokens.ts'

/** Tokens of which every key exists, and the look-ups of them. */
function open() {
  let lookups = 0
  const kernel = {
    config: {},
    actions: { names: [] },
    secret: ({ configured }: { readonly configured: string }) => configured,
    stamp: async () => {},
    query: () => ({
      async findMany({ filters }: { readonly filters: { readonly accessKey: { readonly $eq: string } } }) {
        const row = { id: ++lookups, name: 'one', type: 'read-only', accessKey: filters.accessKey.$eq, permissions: [] }
        // Recorded just now, so that its use is not.
        return [{ ...row, lastUsedAt: new Date().toISOString(), expiresAt: null }]
      },
    }),
  }
  const tokens = new Tokens(kernel as unknown as Kernel, { salt: 'salt-of-the-tests' })
  return {
    tokens,
    /** Sends a token, and returns whether it was looked up. */
    async looksUp(key: string): Promise<boolean> {
      const before = lookups
      const access = await tokens.authenticate({ headers: { authorization: `Bearer ${key}` } } as never)
      if (access?.key !== 'api-token:read-only') throw new Error(`The token ${key} was not accepted`)
      return lookups > before
    },
  }
}

t.test('security.md row 58: at most 10,000 tokens are remembered', async t => {
  stopClock(t)
  const { looksUp } = open()
  for (let i = 1; i <= 10_000; i++) await looksUp(`key${i}`)
  let remembered = 0
  for (let i = 1; i <= 10_000; i++) if (!(await looksUp(`key${i}`))) remembered++
  t.equal(remembered, 10_000)
  t.equal(await looksUp('key10001'), true)
  remembered = 0
  for (let i = 10_001; i > 1; i--) if (!(await looksUp(`key${i}`))) remembered++
  t.equal(remembered, 10_000)
  t.equal(await looksUp('key1'), true, 'the one that was not used for longest is forgotten')
})

t.test('security.md row 59: a token is looked up again within 5 seconds, however often it is sent', async t => {
  const { pass } = stopClock(t)
  const { looksUp, tokens } = open()
  t.equal(await looksUp('key'), true)
  const checkedAt: number[] = []
  for (let second = 0.1; second < 30; second += 0.1) {
    pass(100)
    if (await looksUp('key')) checkedAt.push(second)
  }
  const gaps = checkedAt.map((at, i) => at - (checkedAt[i - 1] ?? 0))
  t.ok(gaps.length >= 6 && Math.max(...gaps) < 5, `${gaps.map(gap => gap.toFixed(1)).join()} s`)
  t.ok(Math.min(...gaps) > 1, 'and not with each request')
  t.equal(await looksUp('key'), false)
  tokens.forget()
  t.equal(await looksUp('key'), true, 'or at once after a change by this process')
})
