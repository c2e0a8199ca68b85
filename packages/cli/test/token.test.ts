// `plinth token` from the command line, on all three databases.

import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import apiTokens from '@plinth/api-tokens'
import { createKernel, type Kernel } from '@plinth/kernel'
import { databases, freshDatabase, type TestDatabase } from '@plinth/test-tools/databases'
import t, { type Test } from 'tap'
import { plinth } from './plinth.ts'

const tag = {
  kind: 'collectionType',
  collectionName: 'tags',
  info: { singularName: 'tag', pluralName: 'tags', displayName: 'Tag' },
  attributes: { label: { type: 'string' } },
}

const action = 'api::tag.tag.find'

/** An application with tags and the plugin. */
async function application(t: Test, database: TestDatabase) {
  const dir = await mkdtemp(join(tmpdir(), 'plinth-cli-'))
  t.teardown(() => rm(dir, { recursive: true, force: true }))
  const files = {
    'config/plugins.json': { 'api-tokens': true },
    'src/api/tag/content-types/tag/schema.json': tag,
  }
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(dir, name)), { recursive: true })
    await writeFile(join(dir, name), JSON.stringify(content))
  }
  const env = { ...database.env, NODE_ENV: 'test' }
  return { dir, run: (...args: string[]) => plinth([...args, '--dir', dir], env) }
}

const can = async (kernel: Kernel, key: string, scope: string) =>
  (await kernel.auth.authenticate({ headers: { authorization: `Bearer ${key}` } })).can(scope)

for (const client of await databases()) {
  await t.test(`tokens are made, listed and revoked (${client})`, async t => {
    const database = await freshDatabase(client)
    t.teardown(() => database.drop())
    const { dir, run } = await application(t, database)
    t.match(await run('token', 'create', 'early'), {
      code: 1,
      out: '',
      err: /The database (file .* does not exist|has no table strapi_api_tokens); start the server once, or run `plinth migrate apply`/,
    })
    // A first start in development.
    const kernel = await createKernel({
      dir,
      database: database.config,
      plugins: { 'api-tokens': { plugin: apiTokens } },
    })
    t.teardown(() => kernel.close())
    t.match(await readFile(join(dir, '.env'), 'utf8'), /^API_TOKEN_SALT=[\w-]{43}\n$/m)
    t.match(await run('token', 'list'), { code: 0, out: '', err: /There are no tokens/ })

    const reader = await run('token', 'create', 'the site', '--days', '30')
    t.match(reader, { code: 0, out: /^[0-9a-f]{256}\n$/, err: /Made the token "the site" \(read-only, expires / })
    t.equal(await can(kernel, reader.out.trim(), action), true, 'a server accepts it')
    const custom = await run('token', 'create', 'shop', '--type', 'custom', '--actions', 'api::tag.tag.*')
    t.equal(await can(kernel, custom.out.trim(), 'api::tag.tag.delete'), true)
    t.match(await run('token', 'create', 'shop'), { code: 1, out: '', err: /Name already taken/ })
    t.match(await run('token', 'create', 'x', '--type', 'custom'), { code: 1, out: '', err: /--actions is missing/ })
    t.match(await run('token', 'create', 'x', '--type', 'custom', '--actions', 'api::tag.tag.fnd'), {
      code: 1,
      err: /Unknown permissions provided: "api::tag.tag.fnd", did you mean "api::tag.tag.find"\?/,
    })
    t.match(await run('token', 'create', 'x', '--days', '31'), { code: 1, err: /--days must be 7, 30 or 90/ })
    t.match(await run('token', 'create'), { code: 1, err: /the name of the token is missing/ })
    t.match(await run('token', 'create', 'two', 'words'), { code: 1, err: /in quotes/ })

    const { out } = await run('token', 'list')
    t.match(out, /^id +name +type +last used +expires +actions\n/)
    t.match(out, /shop +custom +\S+ +never +api::tag\.tag\.create, /)
    t.notMatch(out, /[0-9a-f]{64}/, 'no key, no hash')
    const listed = JSON.parse((await run('token', 'list', '--json')).out)
    t.match(listed, [{ name: 'shop' }, { name: 'the site', lifespan: '2592000000' }])

    t.match(await run('token', 'revoke', 'the'), {
      code: 1,
      err: /There is no token "the"; the tokens are "shop", "the site"/,
    })
    t.match(await run('token', 'revoke', 'the site'), { code: 0, out: /Revoked the token "the site"/ })
    t.match(await run('token', 'revoke', String(listed[0].id)), { code: 0, out: /Revoked the token "shop"/ })
    await new Promise(done => setTimeout(done, 5050))
    await t.rejects(can(kernel, reader.out.trim(), action), { name: 'UnauthorizedError' })
    t.match(await run('token', 'list'), { err: /There are no tokens/ })
  })
}
