// V8 decides nothing about pretenuring in the process of a server, unless its command line asks for that.

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import t from 'tap'

/** A program that makes objects as a server does when it starts, and says when it has created the server. */
const program = `
  import { createServer } from ${JSON.stringify(new URL('../src/index.ts', import.meta.url).href)}
  const database = { client: 'sqlite', connection: { filename: ':memory:' } }
  const plugins = {}
  const app = await createServer({ database, plugins, logger: false })
  console.log('created')
  const kept = []
  for (let i = 0; i < 300_000; i++) kept.push({ i, list: [i] })
  await app.close()
  console.log(kept.length)
`

/** What V8 says about decisions after the server was created. */
async function decisions(...flags: readonly string[]): Promise<number> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [...flags, '--trace-pretenuring-statistics', '--input-type=module', '--eval', program],
    { maxBuffer: 16 * 1024 * 1024 },
  )
  const [, after] = stdout.split('created\n')
  t.match(after, /^300000$/m)
  return after!.match(/pretenuring:/g)?.length ?? 0
}

t.test('pretenuring is off in the process of a server', async t => {
  t.equal(await decisions(), 0)
})

t.test('the command line may turn it on', async t => {
  t.ok((await decisions('--allocation-site-pretenuring')) > 0)
  t.ok((await decisions('--allocation_site_pretenuring')) > 0)
})
