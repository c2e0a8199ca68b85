/**
 * What a process prints (security.md row 87): marked secrets are sent through every place of a request, and put into
 * every setting that takes one, and must appear nowhere in what the process writes.
 */

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { RunningProgram } from '@plinth/test-tools/command'
import { freshDatabase } from '@plinth/test-tools/databases'
import { fresh, onEach } from '@plinth/test-tools/on-each'
import t, { type Test } from 'tap'

const bin = join(import.meta.dirname, '../../packages/cli/src/bin.ts')

/** A part of every secret. */
const mark = 'Qz7marked'
let made = 0
/** A secret, which says where it leaked. */
const secret = (place: string) => `${mark}-${place}-${made++}`

const note = {
  kind: 'collectionType',
  collectionName: 'notes',
  info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
  attributes: { text: { type: 'string' }, password: { type: 'password' } },
}

/** Code that logs what it should not, and fails with what it should not say. */
const careless = `export default {
  register({ kernel }) {
    kernel.hooks.on('onMount', app => {
      app.addHook('preHandler', async request => {
        request.log.info({ headers: request.headers, query: request.query, body: request.body, params: request.params }, 'seen')
        request.log.warn('authorization: ' + request.headers.authorization)
        request.log.debug(request.raw.rawHeaders, 'raw')
        kernel.log.warn('body ' + JSON.stringify(request.body))
        request.log.child({ token: request.query?.token }).info('child')
      })
      app.post('/careless', async request => {
        const error = new Error('connecting to postgres://app:' + request.body.password + '@db/x')
        throw Object.assign(error, { config: { headers: request.headers, data: JSON.stringify(request.body) } })
      })
    })
  },
}`

interface Application {
  readonly dir: string
  readonly env: Readonly<Record<string, string>>
}

/** An application with all plugins that take secrets, in a folder that finds the packages. */
async function application(t: Test, files: Readonly<Record<string, string>> = {}): Promise<Application> {
  const data = join(import.meta.dirname, '../.data')
  await mkdir(data, { recursive: true })
  const dir = await mkdtemp(join(data, 'logs-'))
  t.teardown(() => rm(dir, { recursive: true, force: true, maxRetries: 5 }))
  const plugins = {
    rest: true,
    graphql: true,
    upload: true,
    'api-tokens': { config: { salt: secret('salt') } },
    'users-permissions': {
      config: {
        jwtSecret: secret('jwt-secret-that-is-long-enough'),
        permissions: { public: ['api::note.note.*', 'plugin::users-permissions.auth.*'] },
      },
    },
  }
  const all = {
    'config/plugins.json': JSON.stringify(plugins),
    'config/server.json': JSON.stringify({ host: '127.0.0.1', port: 0 }),
    'src/index.mjs': careless,
    'src/api/note/content-types/note/schema.json': JSON.stringify(note),
    ...files,
  }
  for (const [name, text] of Object.entries(all)) {
    await mkdir(dirname(join(dir, name)), { recursive: true })
    await writeFile(join(dir, name), text)
  }
  return { dir, env: {} }
}

/** A database on SQLite. */
async function file(t: Test) {
  const database = await freshDatabase('sqlite')
  t.teardown(() => database.drop())
  return database
}

/** No secret is in the text. */
function clean(t: Test, text: string, what: string): void {
  const found = text.split('\n').filter(line => line.includes(mark))
  t.same(found, [], what)
}

/** Sends secrets in every place of a request. Statuses do not matter here. */
async function sendEverywhere(address: string): Promise<void> {
  const json = { 'content-type': 'application/json' }
  const send = async (path: string, options: RequestInit = {}) => {
    const answer = await fetch(address + path, { signal: AbortSignal.timeout(20_000), ...options })
    await answer.arrayBuffer()
  }
  const post = (path: string, body: object) => send(path, { method: 'POST', headers: json, body: JSON.stringify(body) })
  const jwt = `eyJhbGciOiJIUzI1NiJ9.eyJ${secret('jwt')}.${secret('signature')}`
  for (const authorization of [
    `Bearer ${jwt}`,
    `Bearer ${secret('bearer')}`,
    `Basic ${btoa(secret('basic'))}`,
    secret('bare'),
  ])
    await send('/api/notes', { headers: { authorization } })
  await send('/api/notes', { headers: { cookie: `session=${secret('cookie')}`, 'x-api-key': secret('key') } })
  for (const name of [
    'access_token',
    'token',
    'password',
    'code',
    'confirmation',
    'filters[password]',
    'filters%5BresetPasswordToken%5D%5B%24eq%5D',
  ])
    await send(`/api/notes?${name}=${secret(name.replace(/\W+/g, ''))}`)
  await send(`/api/auth/email-confirmation?confirmation=${secret('confirmation')}`)
  await send(`/api/auth/google/callback?access_token=${secret('access')}&code=${secret('code')}`)
  await send(`/nowhere?jwt=${secret('unknown-path')}`)
  const mutation = `mutation { login(input: { identifier: "ann", password: "${secret('literal')}" }) { jwt } }`
  const variables = { input: { identifier: 'ann', password: secret('variable') } }
  await send(
    `/graphql?query=${encodeURIComponent(mutation)}&variables=${encodeURIComponent(JSON.stringify(variables))}`,
  )
  await post('/graphql', { query: mutation, variables })
  await post('/graphql', { query: `{ notes(filters: { password: { eq: "${secret('filter')}" } }) { data { id } } }` })
  const password = secret('password')
  await post('/api/auth/local/register', { username: 'ann', email: 'ann@example.com', password })
  await post('/api/auth/local', { identifier: 'ann', password })
  await post('/api/auth/reset-password', { code: secret('reset'), password, passwordConfirmation: password })
  await post('/api/auth/change-password', {
    currentPassword: secret('current'),
    password,
    passwordConfirmation: password,
  })
  await post('/api/notes', { data: { text: 'x', password: secret('entry') } })
  await post('/careless', { password: secret('careless'), token: secret('token') })
  await send('/api/notes', { method: 'POST', headers: json, body: `{"password":"${secret('torn')}` })
  const form = new FormData()
  form.set('data', JSON.stringify({ text: 'x', password: secret('form') }))
  await send('/api/notes', { method: 'POST', body: form })
}

await onEach('security.md row 87: no secret of a request or of the configuration is printed', async t => {
  const database = await fresh(t)
  const password = secret('reset-by-mail')
  const app = await application(t)
  const env = { ...database.env, LOG_LEVEL: 'trace' }
  const run = new RunningProgram(t, [bin, 'start', '--dir', app.dir], env)
  const address = await run.printed(/Server listening at (http:\/\/[\d.:]+)/)
  await sendEverywhere(address)

  // Errors of the database quote the statement, and some of its values.
  const connection = await database.open()
  await connection.run('DROP TABLE notes')
  await connection.close()
  const data = { text: `password=${secret('row')}`, password }
  const answer = await fetch(`${address}/api/notes`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ data }),
  })
  t.equal(answer.status, 500)
  await delay(200)
  run.process.kill('SIGTERM')
  await run.ended
  t.match(run.text, /"url":"\/api\/notes\?access_token=\[redacted\]"/, 'requests are logged, without it')
  t.match(run.text, /"authorization":"\[redacted\]"/)
  t.match(run.text, /connecting to postgres:\/\/\[redacted\]@db\/x/, 'errors are logged, without it')
  t.match(run.text, /"identifier":"ann"/, 'the rest is there')
  const lines = run.text.split('\n').filter(line => line !== '' && !line.startsWith('{'))
  t.same(lines, [], 'every line is a record')
  clean(t, run.text, 'the log')
})

t.test('security.md row 87: nothing that a client sends begins a line of the log, or controls a terminal', async t => {
  const app = await application(t)
  const { env } = await file(t)
  const run = new RunningProgram(t, [bin, 'start', '--dir', app.dir], { ...env, LOG_LEVEL: 'trace' })
  const address = await run.printed(/Server listening at (http:\/\/[\d.:]+)/)
  await fetch(`${address}/careless`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ password: 'x', text: 'a\nforged line\n\u001b[31mred\u009b31m' }),
  })
  await delay(200)
  run.process.kill('SIGTERM')
  await run.ended
  t.match(run.text, 'forged line', 'it is logged')
  t.notMatch(run.text, /^forged line/m)
  t.notMatch(run.text, /\u001b/)
})

const commands = [['start'], ['migrate', 'status'], ['routes'], ['console', '--eval', '1']] as const

t.test('security.md row 87: settings that stop a start are named without their values', async t => {
  const faults: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    'a string as the connection': {
      'config/database.json': JSON.stringify({
        client: 'postgres',
        connection: `postgres://app:${secret('url')}@127.0.0.1:1/x`,
      }),
    },
    'an address of the database': {
      'config/database.json': JSON.stringify({
        client: 'postgres',
        connection: { connectionString: `postgres://app:${secret('url')}@127.0.0.1:1/x` },
      }),
    },
    'a server that is not there': {
      'config/database.json': JSON.stringify({
        client: 'mysql',
        connection: { host: '127.0.0.1', port: 1, user: 'app', password: secret('password'), database: 'x' },
      }),
    },
    'a wrong client': { 'config/database.json': JSON.stringify({ client: `mysql://root:${secret('client')}@db/x` }) },
    'a list of secrets': {
      'config/plugins.json': JSON.stringify({
        rest: true,
        'users-permissions': { config: { jwtSecret: [secret('list')] } },
      }),
    },
    'a secret beside the settings': {
      'config/plugins.json': JSON.stringify({ rest: true, 'api-tokens': { config: { slat: secret('slat') } } }),
    },
    'a file that throws': {
      'config/database.mjs': `throw new Error('no connection to redis://:${secret('throws')}@cache:6379')`,
    },
    'code that throws': {
      'src/index.mjs': `export default { register() {
        throw Object.assign(new Error('refused'), { auth: { user: 'app', pass: '${secret('thrown')}' } })
      } }`,
    },
    'a torn file': { 'config/database.json': `{"password":"${secret('torn')}" "x"}` },
  }
  const inAllCommands = new Set(['an address of the database', 'code that throws'])
  for (const [name, files] of Object.entries(faults)) {
    const app = await application(t, files)
    // All commands open the application in the same way, so two faults are enough for the others.
    for (const words of inAllCommands.has(name) ? commands : commands.slice(0, 1)) {
      const run = new RunningProgram(t, [bin, ...words, '--dir', app.dir], { DATABASE_FILENAME: join(app.dir, 'x.db') })
      const code = await run.ended
      if (words[0] === 'start') t.equal(code, 1, `${name}: ${run.text}`)
      clean(t, run.text, `${words[0]}: ${name}`)
    }
  }
})

await onEach('security.md row 87: a wrong password of the database is not printed', async (t, client) => {
  const app = await application(t)
  const { env } = await fresh(t)
  const wrong = { ...env, DATABASE_USERNAME: 'nobody_of_the_tests', DATABASE_PASSWORD: secret('wrong') }
  for (const words of commands) {
    const run = new RunningProgram(t, [bin, ...words, '--dir', app.dir], wrong)
    if (client === 'sqlite' && words[0] === 'start') {
      await run.printed(/Server listening/)
      run.process.kill('SIGTERM')
    }
    await run.ended
    clean(t, run.text, `${client}: ${words[0]}`)
  }
})

t.test('security.md row 87: errors in the console are printed without secrets', async t => {
  const app = await application(t)
  const { env } = await file(t)
  const code = `throw new Error('no answer of https://ann:${secret('console')}@example.com')`
  const run = new RunningProgram(t, [bin, 'console', '--dir', app.dir, '--eval', code], env)
  await run.ended
  t.match(run.text, /no answer of https:\/\/\[redacted\]@example\.com/)
  clean(t, run.text, 'console')
})
