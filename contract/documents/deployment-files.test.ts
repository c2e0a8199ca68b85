// The files of other programs in docs/deployment.md: nginx and Caddy run with theirs in front of an application, and systemd
// reads its unit. The proxies are required if PLINTH_PROXIES is set; tests of programs that are not there are skipped otherwise.

import { execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type RequestOptions, request as requestByHttp } from 'node:http'
import { request as requestByHttps } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { placed, readDocuments } from '@plinth/test-tools/documents'
import { freePort } from '@plinth/test-tools/free-port'
import t, { type Test } from 'tap'
import { application, serve } from '../operations/load.ts'

const document = 'docs/deployment.md'
const blocks = placed(document, (await readDocuments()).get(document)!)

/** The only example of a language. */
function exampleOf(language: string): string {
  const examples = blocks.filter(block => block.language === language)
  if (examples.length !== 1) throw new Error(`${document} has ${examples.length} examples of ${language}`)
  return examples[0]!.code
}

/** Replaces parts of an example, each of which it must have. */
function adapt(example: string, parts: Readonly<Record<string, string>>): string {
  return Object.entries(parts).reduce((text, [part, other]) => {
    if (!text.includes(part)) throw new Error(`The example has no "${part}"`)
    return text.replaceAll(part, other)
  }, example)
}

/** Returns why a test that needs a program is skipped; false if the program is there. Throws an error if it is required. */
function skipWithout(path: string, isRequired = false): string | false {
  if (existsSync(path)) return false
  if (!isRequired) return `there is no ${path}`
  throw new Error(`There is no ${path}, which PLINTH_PROXIES requires`)
}

const needsProxies = process.env.PLINTH_PROXIES !== undefined

/** A proxy that runs in front of an application. */
interface Proxy {
  readonly address: URL
  readonly program: string
  readonly words: readonly string[]
}

/** Writes the files of a proxy into a folder, in front of the application at a port. */
type Prepare = (dir: string, port: number) => Promise<Proxy>

const prepareNginx: Prepare = async (dir, port) => {
  const own = await freePort()
  const names = { certificate: join(dir, 'certificate.pem'), key: join(dir, 'key.pem') }
  const words = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=localhost']
  execFileSync('openssl', [...words, '-keyout', names.key, '-out', names.certificate], { stdio: 'ignore' })
  const example = adapt(exampleOf('nginx'), {
    '127.0.0.1:1337': `127.0.0.1:${port}`,
    'listen 443 ssl': `listen 127.0.0.1:${own} ssl`,
    '/etc/ssl/library.example.com.pem': names.certificate,
    '/etc/ssl/library.example.com.key': names.key,
  })
  const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(name => `${name}_temp_path ${dir}/${name};`)
  const file = join(dir, 'nginx.conf')
  const head = `daemon off; pid ${dir}/pid; error_log stderr; events {}`
  await writeFile(file, `${head} http { access_log off; ${folders.join(' ')}\n${example}\n}`)
  return { address: new URL(`https://127.0.0.1:${own}`), program: '/usr/sbin/nginx', words: ['-p', dir, '-c', file] }
}

const prepareCaddy: Prepare = async (dir, port) => {
  const own = await freePort()
  // Without a name, there is no certificate to order.
  const example = adapt(exampleOf('caddyfile'), {
    '127.0.0.1:1337': `127.0.0.1:${port}`,
    'library.example.com': `http://:${own}`,
  })
  const file = join(dir, 'Caddyfile')
  await writeFile(file, `{\n  admin off\n}\n${example}`)
  const words = ['run', '--config', file, '--adapter', 'caddyfile']
  return { address: new URL(`http://127.0.0.1:${own}`), program: '/usr/bin/caddy', words }
}

interface Reply {
  readonly status: number
  readonly body: string
}

/** Sends a request to a proxy, whatever its certificate says. */
function ask(address: URL, path: string, options: RequestOptions = {}, body?: Buffer): Promise<Reply> {
  const request = address.protocol === 'https:' ? requestByHttps : requestByHttp
  const { hostname: host, port } = address
  return new Promise((resolve, reject) => {
    const sent = request({ host, port, path, agent: false, rejectUnauthorized: false, ...options } as object, reply => {
      const chunks: Buffer[] = []
      reply.on('data', chunk => chunks.push(chunk))
      reply.once('end', () => resolve({ status: reply.statusCode!, body: Buffer.concat(chunks).toString() }))
      reply.once('error', reject)
    })
    sent.once('upgrade', (reply, socket) => {
      socket.destroy()
      resolve({ status: reply.statusCode!, body: '' })
    })
    sent.once('error', reject)
    sent.end(body)
  })
}

/** Starts a proxy in front of an application, and waits until it answers. */
async function start(t: Test, prepare: Prepare): Promise<URL> {
  const dir = await mkdtemp(join(tmpdir(), 'proxy-'))
  t.teardown(() => rm(dir, { recursive: true, force: true, maxRetries: 5 }))
  const config = { host: '127.0.0.1', proxy: '127.0.0.1' }
  const folder = await application(t, {
    'config/server.json': JSON.stringify(config),
    'src/index.mjs': `export default {
      register({ kernel }) {
        kernel.hooks.on('onMount', app => {
          app.get('/seen', async ({ ip, protocol, host }) => ({ ip, protocol, host }))
        })
      },
    }`,
  })
  const served = await serve(t, folder, [process.execPath, join(folder, 'node_modules/.bin/plinth'), 'start'])
  const { address, program, words } = await prepare(dir, served.port)
  const proxy = spawn(program, words, {
    cwd: dir,
    env: { ...process.env, HOME: dir, XDG_CONFIG_HOME: dir },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  for (const stream of [proxy.stdout, proxy.stderr])
    stream.on('data', chunk => {
      text += chunk
    })
  const ended = once(proxy, 'exit')
  t.teardown(async () => {
    proxy.kill('SIGTERM')
    await ended
  })
  const answers = () =>
    ask(address, '/_health/live').then(
      ({ status }) => status === 204,
      () => false,
    )
  for (let count = 0; !(await answers()); count++) {
    if (count > 600 || proxy.exitCode !== null) throw new Error(`${program} does not answer: ${text}`)
    await delay(50)
  }
  return address
}

const json = { 'content-type': 'application/json' }
const body = Buffer.from(JSON.stringify({ query: '{ __typename }' }))
/** The headers that open a connection for subscriptions. */
const upgrade = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
  'sec-websocket-version': '13',
  'sec-websocket-protocol': 'graphql-transport-ws',
}

/** Checks what docs/deployment.md says of a proxy. */
async function checkProxy(t: Test, address: URL): Promise<void> {
  const protocol = address.protocol.slice(0, -1)
  const lies = { 'x-forwarded-for': '203.0.113.7', 'x-forwarded-proto': 'gopher', host: 'library.example.com' }
  t.same(
    JSON.parse((await ask(address, '/seen', { headers: lies })).body),
    { ip: '127.0.0.1', protocol, host: 'library.example.com' },
    'the application sees the client that the proxy sees',
  )
  t.equal((await ask(address, '/api/notes')).status, 200)
  const query = await ask(address, '/graphql', { method: 'POST', headers: json }, body)
  t.same(query, { status: 200, body: '{"data":{"__typename":"Query"}}' })
  t.equal((await ask(address, '/graphql', { headers: upgrade })).status, 101, 'subscriptions')
  const type = { 'content-type': 'multipart/form-data; boundary=b' }
  const head =
    '--b\r\ncontent-disposition: form-data; name="files"; filename="a.txt"\r\ncontent-type: text/plain\r\n\r\n'
  // More than nginx takes by default.
  const file = Buffer.from(`${head}${'x'.repeat(3 * 1024 * 1024)}\r\n--b--\r\n`)
  const uploaded = await ask(address, '/api/upload', { method: 'POST', headers: type }, file)
  t.equal(uploaded.status, 200, uploaded.body.slice(0, 300))
}

t.test('nginx', { skip: skipWithout('/usr/sbin/nginx', needsProxies) }, async t => {
  const address = await start(t, prepareNginx)
  await checkProxy(t, address)
  t.equal((await ask(address, '/_health/ready')).status, 403, 'a check that is not public')
})

t.test('Caddy', { skip: skipWithout('/usr/bin/caddy', needsProxies) }, async t => {
  await checkProxy(t, await start(t, prepareCaddy))
})

t.test('a unit of systemd', { skip: skipWithout('/usr/bin/systemd-analyze') }, async t => {
  const dir = await mkdtemp(join(tmpdir(), 'unit-'))
  t.teardown(() => rm(dir, { recursive: true, force: true }))
  const command = join(dir, 'library/node_modules/.bin/plinth')
  await mkdir(join(command, '..'), { recursive: true })
  await writeFile(command, '')
  await chmod(command, 0o755)
  /** Returns what systemd finds wrong. */
  const read = async (parts: Readonly<Record<string, string>>): Promise<string> => {
    const file = join(dir, 'library.service')
    await writeFile(file, adapt(exampleOf('ini'), { '/srv/library': join(dir, 'library'), ...parts }))
    return promisify(execFile)('systemd-analyze', ['verify', '--man=no', file]).then(
      ({ stderr }) => stderr,
      error => `${error.code} ${error.stderr}`,
    )
  }
  t.equal(await read({}), '')
  t.match(await read({ NoNewPrivileges: 'NoNewRights' }), /Unknown key/, 'a mistake is seen')
})
