/** Which origins may read answers in a browser (security.md row 69). */

import t, { type Test } from 'tap'
import { boot, type Client, client } from '../boot.ts'

t.test(
  'security.md row 69: any origin by default with a warning in production, listed ones else (CVE-2025-53092)',
  async t => {
    const before = process.env.NODE_ENV
    t.teardown(() => {
      process.env.NODE_ENV = before
    })
    const corsOf = async (api: Client, origin: string) => {
      const { headers } = await api.get('/api/tags', { origin })
      return [headers['access-control-allow-origin'], headers['access-control-allow-credentials']]
    }
    const open = client(await boot(t))
    t.same(await corsOf(open, 'https://any.test'), ['https://any.test', 'true'], 'as in v4')
    t.equal((await corsOf(open, 'null'))[0], undefined, 'null is no origin of its own')
    const named = client(
      await boot(t, { plugins: { rest: { config: { cors: { origin: 'null' } } }, 'draft-publish': true } }),
    )
    t.equal((await corsOf(named, 'null'))[0], 'null', 'unless it is listed')
    const lines = await logOf(t)
    t.match(lines.join('\n'), /Every origin may read the answers \(CORS\)/)
    const cors = { origin: ['https://front.test'] }
    const listed = client(await boot(t, { plugins: { rest: { config: { cors } }, 'draft-publish': true } }))
    t.same(await corsOf(listed, 'https://front.test'), ['https://front.test', 'true'])
    for (const origin of [
      'null',
      'https://any.test',
      'https://front.test.evil.test',
      'http://front.test',
      'https://front.test:444',
      'https://FRONT.test',
      'https://front.test, https://any.test',
    ])
      t.equal((await corsOf(listed, origin))[0], undefined, origin)
  },
)

/** What a server in production logs at its start. */
async function logOf(t: Test): Promise<string[]> {
  const lines: string[] = []
  process.env.NODE_ENV = 'production'
  const stream = { write: (line: string) => void lines.push(line) }
  const migrate = 'apply'
  await boot(t, { logger: { level: 'warn', stream }, migrate } as never)
  return lines
}
