// `plinth doctor`: which plugins it finds, in whatever order the settings name those that need each other, and what it says of a
// database that does not open.

import { join } from 'node:path'
import t from 'tap'
import type { Report } from '../src/doctor.ts'
import { application } from './application.ts'
import { plinth } from './plinth.ts'

const plugin = (name: string, dependencies: readonly string[] = []) =>
  `export default { plinth: { name: '${name}', dependencies: ${JSON.stringify(dependencies)}, register() {} } }`

t.test('a plugin may need one that stands behind it', async t => {
  const files = {
    'first.mjs': plugin('first', ['second', 'rest']),
    'second.mjs': plugin('second', ['third']),
    'third.mjs': plugin('third'),
    'lonely.mjs': plugin('lonely', ['nobody']),
  }
  const entries = Object.keys(files).map(file => [file.replace('.mjs', ''), { resolve: `./${file}` }])
  const plugins = JSON.stringify({ ...Object.fromEntries(entries), rest: true, off: false })
  const app = await application(t, { ...files, 'config/plugins.json': plugins })
  const { code, out, err } = await plinth(['doctor', '--json', '--dir', app.dir], app.env)
  t.equal(code, 1, err)
  const { serves, ignores, faults } = JSON.parse(out) as Report
  t.same(
    serves.plugins.filter(name => ['first', 'second', 'third', 'rest'].includes(name)),
    ['rest', 'first', 'second', 'third'],
    'in the order of the settings, behind what every v4 has',
  )
  t.same(ignores, [])
  const what = 'lonely: needs the plugin "nobody", which is not enabled'
  t.same(faults, [{ place: 'config/plugins', what }], 'as a start refuses it')
  await app.write('config/plugins.json', JSON.stringify({ rest: { config: { maxLmit: 5 } }, 'api-tokns': true }))
  t.match(await plinth(['doctor', '--dir', app.dir], app.env), {
    code: 1,
    out: /^What stops a start\n {2}config\/plugins: .*maxLmit: is not known.*\n {2}config\/plugins: .*"api-tokns" was not found.*did you mean "api-tokens"/,
  })
})

t.test('before a first start, a start is named', async t => {
  const app = await application(t)
  const { code, out } = await plinth(['doctor', '--dir', app.dir], app.env)
  t.equal(code, 0)
  t.match(
    out,
    /is not known\n {2}ask again after a start; for content of v4, set the variables of config\/database to a copy/,
  )
})

t.test('a file that is no database is named', async t => {
  const app = await application(t, { 'notes.txt': 'Not a database.'.repeat(50) })
  const file = join(app.dir, 'notes.txt')
  const env = { ...app.env, DATABASE_FILENAME: file }
  const { code, out } = await plinth(['doctor', '--json', '--dir', app.dir], env)
  t.equal(code, 1)
  const what = `cannot open ${file}: file is not a database`
  t.match((JSON.parse(out) as Report).faults, [{ place: 'config/database', what }])
  t.match(await plinth(['routes', '--dir', app.dir], env), { code: 1, err: `plinth: config/database: ${what}\n` })
})
