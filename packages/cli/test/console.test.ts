// `plinth console`: code in the application, from the command line and from the standard input.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import t from 'tap'
import { application } from './application.ts'
import { plinth } from './plinth.ts'

t.test('--eval prints the value of an expression or of statements', async t => {
  const app = await application(t, {
    'src/index.mjs': `export default { async bootstrap({ kernel }) {
      await kernel.query('api::note.note').create({ data: { title: 'one' } })
    } }`,
  })
  const run = (code: string) => plinth(['console', '--dir', app.dir, '--eval', code], app.env)
  t.same(await run(`await kernel.query('api::note.note').count()`), { code: 0, out: '1\n', err: '' }, 'after bootstrap')
  const statements = `const { data } = (await app.inject('/api/notes')).json(); return data.map(one => one.attributes.title)`
  const { code, out } = await run(statements)
  t.equal(code, 0)
  t.same(JSON.parse(out), ['one', 'one'])
  t.same(await run(`'plain'`), { code: 0, out: 'plain\n', err: '' })
  t.match(await run(`throw new Error('no such thing')`), { code: 1, out: '', err: /plinth: no such thing/ })
  t.match(await run('const ='), { code: 1, out: '', err: /--eval: Unexpected token/ })
  t.match(await run(`await kernel.query('api::note.nite').count()`), { code: 1, err: /did you mean "api::note\.note"/ })
})

t.test('lines of the standard input, without a prompt and colours', async t => {
  const app = await application(t)
  const bin = join(import.meta.dirname, '../src/bin.ts')
  const child = spawn(process.execPath, [bin, 'console', '--dir', app.dir], { env: { ...process.env, ...app.env } })
  const printed: string[] = []
  child.stdout.on('data', chunk => printed.push(String(chunk)))
  child.stdin.end(`const notes = kernel.query('api::note.note')\nawait notes.count()\n`)
  const [code] = await once(child, 'close')
  t.equal(code, 0)
  t.same(printed.join(''), '0\n')
})
