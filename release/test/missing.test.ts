// The built packages where something is not installed that an application can do without until its settings need it: the
// message names the package and the command. Plugins that have routes run in scripts without a server.

import { cp, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { publishedIn } from '../published.ts'
import { link } from './fixtures/built.ts'
import { folderFor, root } from './fixtures/packed.ts'
import { prepared } from './fixtures/prepared.ts'
import { writeProject } from './fixtures/project.ts'
import { ran } from './fixtures/tarballs.ts'

const dir = await folderFor(t)
const modules = join(dir, 'node_modules')
await cp(join((await prepared()).dir, 'node_modules/@plinth'), join(modules, '@plinth'), {
  recursive: true,
  verbatimSymlinks: true,
})
for (const { name, peerDependenciesMeta = {} } of (await publishedIn(root)).values())
  for (const optional of Object.keys(peerDependenciesMeta))
    await rm(join(modules, name, 'node_modules', optional), { recursive: true, force: true })
await link(join(root, 'packages/testing'), ['fastify'], dir)
await rm(join(modules, '@plinth/upload-s3'), { recursive: true })

const start = (make: string) => `
  const starts = JSON.parse(process.argv[2])
  const database = { client: 'sqlite', connection: { filename: ':memory:' } }
  for (const plugins of starts) {
    const dir = import.meta.dirname
    const logger = process.argv[3] === 'log'
    const made = await ${make}({ dir, plugins, database, ...(logger ? {} : { logger: false }) }).catch(error => error)
    console.log(made instanceof Error ? made.message : 'started')
    await made.close?.()
  }`
const quiet = '{ info() {}, warn() {}, error() {} }'
await writeProject(dir, {
  'config/plugins.json': '{}',
  'server.mjs': `import { createServer } from '@plinth/server'\n${start('createServer')}`,
  'script.mjs': `import { createKernel } from '@plinth/kernel'\n${start(`(given => createKernel({ ...given, logger: ${quiet} }))`)}`,
})

const env = { NODE_OPTIONS: '', JWT_SECRET: 'a-secret-of-more-than-thirty-two-bytes', API_TOKEN_SALT: 'a'.repeat(32) }
/** What a program prints when it starts with these plugins, one after another. */
async function printed(program: string, starts: readonly object[], ...words: readonly string[]): Promise<string[]> {
  const { text } = await ran(dir, [process.execPath, program, JSON.stringify(starts), ...words], env)
  return text.trimEnd().split('\n')
}

const users = (config: object) => ({ 'users-permissions': { config } })
const upload = (config: object) => ({ upload: { config } })
const login = { clientId: 'id', clientSecret: 'secret', callback: 'https://example.com/' }

/** Settings of plugins, with the end of the message. */
type Refused = readonly (readonly [object, string])[]

const ofSettings: Refused = [
  [
    upload({ provider: 'aws-s3' }),
    '"aws-s3" is @plinth/upload-s3 here, which was not found: npm install @plinth/upload-s3',
  ],
  [upload({ provider: 's3' }), 'provider: "s3" was not found: npm install @plinth/upload-s3, or s3'],
  [
    { graphql: true, 'graphql-subscriptions': { config: { redis: 'redis://127.0.0.1:1' } } },
    'graphql-subscriptions.config.redis: needs the package mqemitter-redis: npm install mqemitter-redis',
  ],
  [
    { email: { config: { provider: 'nodemailer' } } },
    '"nodemailer" needs the package nodemailer: npm install nodemailer',
  ],
  [
    users({ ratelimit: { redis: 'redis://127.0.0.1:1' } }),
    'users-permissions.config.ratelimit.redis: needs the package ioredis: npm install ioredis',
  ],
  [
    users({ providers: { github: login } }),
    'users-permissions.config.providers: need the packages @fastify/oauth2 and jose: npm install @fastify/oauth2 jose',
  ],
]

const withoutRest: Refused = [
  [
    { rest: true },
    'the plugin "rest" was not found (looked for the packages @plinth/rest and plinth-plugin-rest): npm install @plinth/rest, or plinth-plugin-rest',
  ],
  [upload({}), 'plugin upload: hook onMount: needs the package @plinth/rest: npm install @plinth/rest'],
  [users({}), 'plugin users-permissions: hook onMount: needs the package @plinth/rest: npm install @plinth/rest'],
]

async function checkRefused(t: Test, refused: Refused): Promise<void> {
  const starts = refused.map(([plugins]) => plugins)
  const messages = await printed('server.mjs', starts)
  t.equal(messages.length, refused.length, 'one line each')
  for (const [i, [, end]] of refused.entries()) t.ok(messages[i]?.endsWith(end), `${messages[i]}`)
}

t.test('settings that need a package', t => checkRefused(t, ofSettings))

t.test('pictures without sharp', async t => {
  const [first = ''] = await printed('server.mjs', [upload({})], 'log')
  t.match(
    first,
    /"msg":"upload: pictures have no sizes and no formats, because sharp is not installed: npm install sharp"/,
  )
})

t.test('without @plinth/rest', async t => {
  await rm(join(modules, '@plinth/rest'), { recursive: true })
  await checkRefused(t, withoutRest)
})

t.test('without a server', async t => {
  for (const name of ['@plinth/server', 'fastify'])
    await rename(join(modules, name), join(dir, `away-${name.slice(-6)}`))
  const names = [
    'advice',
    'api-tokens',
    'custom-fields',
    'draft-publish',
    'email',
    'entry-versions',
    'i18n',
    'idempotency',
    'metrics',
    'passwords',
    'slugs',
    'telemetry',
    'upload',
    'users-permissions',
    'webhooks',
  ]
  const starts = names.map(name => ({ [name]: true }))
  t.same(
    await printed('script.mjs', starts),
    names.map(() => 'started'),
    'plugins run in a script',
  )
  const { code, text } = await ran(dir, [process.execPath, join(modules, '@plinth/cli/bin.js'), 'start'], env)
  t.equal(code, 1)
  t.match(text, /^plinth: .*npm install @plinth\/server fastify\n$/)
})

t.test('an export and an import without their package', async t => {
  await rm(join(modules, '@plinth/transfer'), { recursive: true })
  for (const words of [['export'], ['import', '-f', 'backup.tar']]) {
    const { code, text } = await ran(dir, [process.execPath, join(modules, '@plinth/cli/bin.js'), ...words], env)
    t.equal(code, 1)
    t.equal(
      text,
      `plinth: plinth ${words[0]} needs @plinth/transfer, which the application does not have: npm install @plinth/transfer\n`,
    )
  }
})

t.test('models without Objection', async t => {
  // A peer that npm installs by itself, and that a tool may leave out.
  await rm(join(modules, '@plinth/objection/node_modules/objection'), { recursive: true })
  await writeProject(dir, {
    'models.mjs': `import { createKernel } from '@plinth/kernel'
      import { modelsOf } from '@plinth/objection'
      const info = { singularName: 'note', pluralName: 'notes', displayName: 'Note' }
      const note = { uid: 'api::note.note', kind: 'collectionType', info, attributes: { text: { type: 'string' } } }
      const database = { client: 'sqlite', connection: { filename: ':memory:' } }
      const kernel = await createKernel({ contentTypes: [note], database, logger: ${quiet} })
      try {
        modelsOf(kernel).get('api::note.note')
      } catch (error) {
        console.log(error.message)
      }
      await kernel.close()`,
  })
  const { text } = await ran(dir, [process.execPath, 'models.mjs'], env)
  t.equal(text, 'Models need the package objection: npm install objection\n')
})
