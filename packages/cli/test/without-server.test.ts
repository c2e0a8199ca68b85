// The command line beside the kernel alone, and without it: what needs something says what to install, and the rest works.

import { execFile } from 'node:child_process'
import { cp, mkdir, symlink, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { application } from './application.ts'

t.test('an application without @plinth/server', async t => {
  const app = await application(t, { 'config/plugins.json': '{}' })
  const own = join(import.meta.dirname, '..')
  const cli = join(app.dir, 'cli')
  await cp(join(own, 'src'), join(cli, 'src'), { recursive: true })
  await cp(join(own, 'package.json'), join(cli, 'package.json'))
  await cp(join(own, 'lib'), join(cli, 'lib'), { recursive: true })
  for (const name of ['@plinth/kernel', '@plinth/sqlite']) {
    await mkdir(dirname(join(cli, 'node_modules', name)), { recursive: true })
    await symlink(join(own, 'node_modules', name), join(cli, 'node_modules', name))
  }
  const env = { ...process.env, ...app.env, NODE_OPTIONS: '' }
  const plinth = (...words: string[]) =>
    promisify(execFile)(process.execPath, [join(cli, 'src/bin.ts'), ...words, '--dir', app.dir], { env }).then(
      ({ stdout }) => ({ code: 0, out: stdout, err: '' }),
      ({ code, stdout, stderr }) => ({ code, out: stdout, err: stderr }),
    )
  for (const words of [['start'], ['start', '--processes', '2'], ['dev'], ['routes']])
    t.match(await plinth(...words), {
      code: 1,
      out: '',
      err: /plinth \w+ needs @plinth\/server and fastify, which the application does not have: npm install @plinth\/server fastify\n$/,
    })
  const code = `[app, await kernel.query('api::note.note').count()]`
  t.match(await plinth('console', '--eval', code), { code: 0, out: '[\n  null,\n  0\n]\n' })
  await unlink(join(cli, 'node_modules/@plinth/kernel'))
  t.match(await plinth('start'), {
    code: 1,
    out: '',
    err: 'plinth: needs the package @plinth/kernel, which the application does not have: npm install @plinth/kernel\n',
  })
})
