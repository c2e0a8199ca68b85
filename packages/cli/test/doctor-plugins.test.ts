// Which plugins `plinth doctor` finds: those that need each other, in whatever order the settings name them.

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
  t.equal(code, 0, err)
  const { serves, ignores } = JSON.parse(out) as Report
  t.same(
    serves.plugins.filter(name => ['first', 'second', 'third', 'rest'].includes(name)),
    ['rest', 'first', 'second', 'third'],
    'in the order of the settings, behind what every v4 has',
  )
  t.match(ignores, [{ path: 'plugin lonely', why: /needs the plugin "nobody", which is not enabled/ }])
})
