// `npm start`: the first start fills the database, later starts use it, and the printed requests work.

import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'

const root = new URL('../../../', import.meta.url)
const folder = mkdtempSync(join(tmpdir(), 'plinth-start-'))
t.teardown(() => rmSync(folder, { recursive: true }))

/** Starts the application on any free port and waits for the last line that it prints. */
async function start(options = '') {
  const program = fileURLToPath(new URL('../src/start.js', import.meta.url))
  const files = {
    DATABASE_FILENAME: join(folder, 'example.db'),
    ENV_PATH: join(folder, '.env'),
    UPLOAD_FOLDER: join(folder, 'uploads'),
  }
  const env = { ...process.env, NODE_OPTIONS: options, PORT: '0', ...files }
  const server = spawn(process.execPath, [program], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = new Promise<number | null>(resolve => server.once('close', code => resolve(code)))
  let printed = ''
  for await (const text of server.stdout.setEncoding('utf8')) {
    printed += text
    if (printed.includes('Ctrl+C')) break
  }
  const stop = () => {
    server.kill('SIGTERM')
    return ended
  }
  return { printed, stop }
}

t.test('the first start fills the database and prints three requests that work', async t => {
  const { printed, stop } = await start()
  t.match(printed, 'The database is empty')
  const requests = [...printed.matchAll(/curl -g '([^']+)'/g)].map(([, address]) => address!)
  t.equal(requests.length, 3)
  for (const address of requests) {
    const reply = await fetch(address)
    const { data } = (await reply.json()) as { data: unknown }
    t.equal(reply.status, 200, address)
    t.ok(Array.isArray(data) ? data.length > 0 : data, 'answers with content')
  }
  for (const [address] of printed.matchAll(/^ {2}(http\S+)/gm))
    t.equal((await fetch(address.trim())).status, 200, address)
  t.equal(await stop(), 0, 'stops when told to')
})

t.test('the second start uses the database of the first', async t => {
  const { printed, stop } = await start()
  t.notMatch(printed, 'The database is empty')
  t.match(printed, 'is served at http://127.0.0.1:')
  t.equal(await stop(), 0)
})

t.test('a start loads no Objection, no HTTP client and no texts of the seed, and typebox as one file', async t => {
  const tell = `import { registerHooks } from 'node:module'
    registerHooks({
      load: (url, context, next) => (console.log('loaded', url), next(url, context)),
      resolve: (name, context, next) => (console.log(context.conditions.join(), name), next(name, context)),
    })`
  const { printed, stop } = await start(`--import=data:text/javascript,${encodeURIComponent(tell)}`)
  t.match(printed, /loaded \S*\/knex\//)
  t.notMatch(printed, /loaded \S*node_modules\/objection\//)
  t.match(printed, /loaded \S*\/kernel\/lib\/typebox\.js/)
  t.notMatch(printed, /loaded \S*\/typebox\/build\//)
  t.notMatch(printed, /loaded \S*\/seed\/(magazine|pictures|draw)\.ts/)
  // As an ES module it evaluates all its exports, including WebSocket and fetch.
  t.notMatch(printed, /import\S* node:http\n/)
  t.equal(await stop(), 0)
})

t.test('the secrets of the first start are for their owner, and not for the repository', async t => {
  const file = join(folder, '.env')
  const lines = readFileSync(file, 'utf8').trim().split('\n').sort()
  t.match(lines, [/^API_TOKEN_SALT=[\w-]{43}$/, /^JWT_SECRET=[\w-]{43}$/], 'made once, by the first of three starts')
  if (process.platform !== 'win32') t.equal(statSync(file).mode & 0o777, 0o600)
  const ignored = readFileSync(new URL('.gitignore', root), 'utf8').split('\n')
  t.ok(ignored.includes('.env'), 'in every folder')
})

t.test('npx finds pnpm in the workspace, and reads few other packages before it runs it', async t => {
  // At every start npx reads the packages of the root and all their dependencies: if tap is among them, this takes a
  // second.
  const read = (file: string) => JSON.parse(readFileSync(new URL(file, root), 'utf8'))
  const { devDependencies } = read('package.json')
  t.match(devDependencies.pnpm, /^\^10\./)
  for (const name of Object.keys(devDependencies)) {
    const { dependencies = {} } = read(`node_modules/${name}/package.json`)
    t.ok(Object.keys(dependencies).length <= 1, `${name} needs ${Object.keys(dependencies)}`)
  }
  t.throws(() => readFileSync(new URL('node_modules/.pnpm/node_modules', root)), { code: 'ENOENT' })
})
