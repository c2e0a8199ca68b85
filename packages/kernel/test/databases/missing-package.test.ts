// How the package of a database is found by the client: a missing one is one sentence, packages of other databases are not
// needed, and a package from outside is found by its name.

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import t from 'tap'
import { createKernel } from '../../src/index.ts'
import { folder } from '../fixtures/boot.ts'

const index = new URL('../../src/index.ts', import.meta.url).href

/** Makes a kernel in a process in which packages are missing, and prints the error. */
const program = (client: string, missing: readonly string[]) => `
  import Module from 'node:module'
  const missing = ${JSON.stringify(missing)}
  const { _resolveFilename } = Module
  Module._resolveFilename = function (name, ...rest) {
    if (!missing.includes(name)) return _resolveFilename.call(this, name, ...rest)
    throw Object.assign(new Error(\`Cannot find module '\${name}'\`), { code: 'MODULE_NOT_FOUND' })
  }
  const { createKernel } = await import(${JSON.stringify(index)})
  const connection = { filename: ':memory:', host: '127.0.0.1', port: 1, database: 'none', user: 'nobody' }
  const database = { client: '${client}', connection }
  await createKernel({ database, migrate: 'none' }).then(
    kernel => kernel.close().then(() => console.log('{}')),
    ({ code, message }) => console.log(JSON.stringify({ code, message })),
  )
`

async function start(client: string, missing: readonly string[]): Promise<unknown> {
  const args = ['--input-type=module', '--eval', program(client, missing)]
  const { stdout } = await promisify(execFile)(process.execPath, args, { env: { ...process.env, NODE_OPTIONS: '' } })
  return JSON.parse(stdout)
}

const clients = ['sqlite', 'mysql', 'postgres']
const packageOf = (client: string) => `@plinth/${client}`

for (const client of clients) {
  t.test(client, async t => {
    const wanted = packageOf(client)
    t.same(await start(client, [wanted]), {
      code: 'PLINTH_DATABASE_DRIVER',
      message: `config/database: the client "${client}" needs the package ${wanted}: npm install ${wanted}`,
    })
    const others = clients.filter(one => one !== client).map(packageOf)
    const answered = (await start(client, others)) as { code?: string }
    t.equal(answered.code, client === 'sqlite' ? undefined : 'PLINTH_DATABASE_CONNECTION', 'nothing else is loaded')
  })
}

t.test('a package from outside is found by the client', async t => {
  const definition = (text: string) => `
    export default { database: {
      name: 'tiny', connection: { properties: { path: {} } }, storesLocalTimes: false,
      variables: () => ({ path: 'a' }),
      databaseName: ({ connection }) => connection.path,
      place: ({ connection }) => 'the tiny database ' + connection.path,
      account: () => ' as nobody',
      isSilence: ({ message }) => message === 'silence',
      open() { throw new Error('${text}') },
    } }`
  const open = async (text: string, connection: object) =>
    createKernel({
      dir: await folder(t, {
        'config/database.json': { client: 'tiny', connection },
        'node_modules/plinth-database-tiny/package.json': { type: 'module', exports: './index.js' },
        'node_modules/plinth-database-tiny/index.js': definition(text),
      }),
    })
  const cannot = 'config/database: cannot open the tiny database'
  await t.rejects(open('no room', {}), {
    code: 'PLINTH_DATABASE_CONNECTION',
    message: `${cannot} a as nobody: no room`,
  })
  await t.rejects(open('silence', { path: 'b' }), {
    message: `${cannot} b as nobody: the server did not answer within 4.5 s`,
  })
  await t.rejects(open('no room', { pth: 'b' }), {
    message: 'config/database: connection.pth is not known, did you mean "path"?',
  })
})

t.test('a driver of its own in package.json is one line of the log', async t => {
  const messages: string[] = []
  const logger = { info: (message: string) => void messages.push(message), warn: () => {}, error: () => {} }
  const start = async (manifest: object) => {
    const dir = await folder(t, { 'package.json': manifest })
    const kernel = await createKernel({ dir, logger, database: { connection: { filename: ':memory:' } } })
    await kernel.close()
    return messages.splice(0).filter(message => message.includes('package.json'))
  }
  t.same(await start({ dependencies: { 'better-sqlite3': '8.6.0', pg: '8.8.0' } }), [
    'package.json has better-sqlite3, which Plinth does not use: the package of the database sqlite brings its own driver',
  ])
  t.same(await start({ dependencies: { '@plinth/sqlite': '*' } }), [])
})
