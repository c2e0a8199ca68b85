// Disturbed first starts: another start at the same time, or a kill. Afterwards the database is complete, the remaining
// process serves it, and there is one secret of each kind.

import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { fresh, onOwn } from '@plinth/test-tools/on-each'
import type { Test } from 'tap'
import { type Program, run } from './fixtures/program.ts'

async function serves(t: Test, program: Program): Promise<void> {
  await program.prints('Ctrl+C')
  t.equal(program.complaints, '')
  const address = /is served at (\S+)/.exec(program.printed)?.[1]
  const articles = (await (await fetch(`${address}/api/articles`)).json()) as { meta: unknown }
  t.match(articles.meta, { pagination: { total: 220 } })
}

for (const delay of [0, 700])
  await onOwn(`two first starts, ${delay} ms apart: one fills, both serve`, async t => {
    const ENV_PATH = `${t.testdir({})}/.env`
    const env = { ...(await fresh(t)).env, ENV_PATH }
    const first = run(env)
    await sleep(delay)
    const programs = [first, run(env)]
    await Promise.all(programs.map(program => serves(t, program)))
    const fillers = programs.filter(({ printed }) => printed.includes('articles are in place'))
    t.equal(fillers.length, 1)
    const secrets = readFileSync(ENV_PATH, 'utf8').replace(/=.*/g, '').trim().split('\n').sort()
    t.same(secrets, ['API_TOKEN_SALT', 'JWT_SECRET'], 'both have the same secrets')
    for (const program of programs) t.equal(await program.kill(), 0)
  })

await onOwn('a killed first start stores nothing, and the next one writes everything', async t => {
  const { env } = await fresh(t)
  const killed = run(env)
  await killed.prints('entries written')
  await killed.kill('SIGKILL')
  const next = run(env)
  await serves(t, next)
  t.match(next.printed, '958 of 958 entries written')
  await next.kill()
})
