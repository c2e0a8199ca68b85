// What a reader process loads: it starts while reads wait for it.

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import t from 'tap'

const connection = new URL('../src/connection.ts', import.meta.url).href

t.test('a reader process loads neither knex nor typebox', async t => {
  const program = `
    import { registerHooks } from 'node:module'
    registerHooks({ load: (url, context, next) => (console.log(url), next(url, context)) })
    await import(${JSON.stringify(connection)})`
  const args = ['--input-type=module', '--eval', program]
  const { stdout } = await promisify(execFile)(process.execPath, args, { env: { ...process.env, NODE_OPTIONS: '' } })
  t.match(stdout, /\/better-sqlite3\//)
  t.notMatch(stdout, /\/knex\/|typebox/)
})
