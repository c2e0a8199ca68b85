// Commands end: after an error, at a signal, and whatever the code of the application has left open. A command that would
// sleep makes its test run out of time.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { RunningProgram } from '@plinth/test-tools/command'
import t, { type Test } from 'tap'
import { bin, plinthProcess } from './plinth.ts'

/** An application whose plugin has commands that fail in several ways. */
async function application(t: Test, files: Readonly<Record<string, string>> = {}): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'plinth-cli-'))
  t.teardown(() => rm(dir, { recursive: true, force: true }))
  const plugin = `
    const never = () => new Promise(() => {})
    const open = () => void setInterval(() => {}, 1000)
    let destroy = () => {}
    const command = run => ({ description: 'fails', run })
    export default { plinth: {
      name: 'failing',
      register() {},
      bootstrap() {},
      destroy: () => destroy(),
      commands: { fail: { description: 'fails', commands: {
        open: command(async ({ print }) => { open(); print('worked') }),
        thrown: command(async () => { open(); throw new Error('the work failed') }),
        never: command(async ({ remark }) => { open(); remark('waiting'); await never() }),
      } } },
    } }`
  const all = {
    'plugin.mjs': plugin,
    'config/plugins.json': JSON.stringify({ failing: { resolve: './plugin.mjs' } }),
    ...files,
  }
  for (const [name, text] of Object.entries(all)) {
    await mkdir(dirname(join(dir, name)), { recursive: true })
    await writeFile(join(dir, name), text)
  }
  return dir
}

const env = { DATABASE_CLIENT: 'sqlite', DATABASE_FILENAME: ':memory:', PORT: '0' }

await t.test('what the code of an application leaves open', async t => {
  const dir = await application(t)
  const run = (...words: string[]) => plinthProcess([...words, '--dir', dir], env)
  t.match(await run('fail', 'open'), { code: 0, out: 'worked\n', err: '' })
  t.match(await run('fail', 'thrown'), { code: 1, out: '', err: /^plinth: the work failed\n$/ })
  t.match(await run('console', '--eval', 'void setInterval(() => {}, 1000)'), { code: 0, out: '' })
  const failing = 'setInterval(() => {}, 1000); throw new Error("the code failed")'
  t.match(await run('console', '--eval', failing), { code: 1, err: /the code failed/ })
})

await t.test('an application that fails while it starts, with a timer open', async t => {
  const source = "setInterval(() => {}, 1000); export default { register() { throw new Error('no luck') } }"
  const dir = await application(t, { 'src/index.mjs': source })
  const words = ['console --eval 1', 'routes', 'content-types', 'migrate plan', 'migrate apply', 'export', 'fail open']
  await Promise.all(
    [...words, 'start', 'start --processes 2'].map(async one => {
      t.match(await plinthProcess([...one.split(' '), '--dir', dir], env), { code: 1, err: /no luck/ }, one)
    }),
  )
})

await t.test('an application that does not close', async t => {
  const index = (destroy: string) => `export default { bootstrap() {}, destroy() { ${destroy} } }`
  const failing = await application(t, { 'src/index.mjs': index("throw new Error('closing failed')") })
  const hanging = await application(t, { 'src/index.mjs': index('return new Promise(() => {})') })
  const evaluate = (dir: string, code: string) => plinthProcess(['console', '--eval', code, '--dir', dir], env)
  const [a, b, c, d] = await Promise.all([
    evaluate(failing, '1'),
    evaluate(failing, 'Promise.reject(new Error("the code failed"))'),
    evaluate(hanging, '1'),
    evaluate(hanging, 'Promise.reject(new Error("the code failed"))'),
  ])
  t.match(a, { code: 1, out: '1\n', err: /closing failed/ })
  t.match(b, { code: 1, err: /closing failed[\s\S]*the code failed/ })
  t.match(c, { code: 1, out: '1\n', err: /did not close within 5 seconds/ })
  t.match(d, { code: 1, err: /did not close within 5 seconds[\s\S]*the code failed/ })
})

await t.test('signals', async t => {
  const never =
    'export default { register() { console.error("waiting"); setInterval(() => {}, 1000); return new Promise(() => {}) } }'
  const [dir, hanging] = await Promise.all([application(t), application(t, { 'src/index.mjs': never })])
  const cases: [string, string[]][] = [
    [dir, ['fail', 'never']],
    [dir, ['console', '--eval', 'console.error("waiting"); await new Promise(() => setInterval(() => {}, 1000))']],
    ...['console', 'routes', 'migrate plan', 'migrate apply', 'content-types', 'export', 'start'].map(
      (one): [string, string[]] => [hanging, one.split(' ')],
    ),
  ]
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    await Promise.all(
      cases.map(async ([app, words]) => {
        const program = new RunningProgram(t, [bin, ...words, '--dir', app], env)
        await program.printed(/waiting/)
        program.process.kill(signal)
        t.equal(await program.ended, signal, `${words.join(' ')} at ${signal}`)
      }),
    )
  }
  const program = new RunningProgram(t, [bin, 'dev', '--dir', hanging], env)
  await program.printed(/waiting/)
  program.process.kill('SIGTERM')
  t.equal(await program.ended, 0, 'dev')
})

await t.test('the first process of a container ends at a signal', async t => {
  const dir = await application(t)
  const words = ['--pid', '--fork', process.execPath, bin, 'fail', 'never', '--dir', dir]
  const child = spawn('unshare', words, { env: { ...process.env, ...env }, stdio: ['ignore', 'ignore', 'pipe'] })
  t.teardown(() => child.kill('SIGKILL'))
  let text = ''
  const ended = once(child, 'close')
  const started = new Promise<boolean>(resolve => {
    child.stderr.on('data', chunk => {
      text += String(chunk)
      if (text.includes('waiting')) resolve(true)
    })
    child.once('error', () => resolve(false))
    void ended.then(() => resolve(false))
  })
  if (!(await started)) return t.pass('unshare is not allowed here')
  const { stdout } = spawn('pgrep', ['-P', String(child.pid)])
  const [pid] = (await once(stdout, 'data')) as [Buffer]
  process.kill(Number(String(pid)), 'SIGTERM')
  t.same(await ended, [143, null])
})
