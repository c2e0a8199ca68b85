// Each kind of project runs, answers requests, passes its own tests and compiles.

import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { nativeCompiler } from '@plinth/test-tools/compiler'
import t, { type Test } from 'tap'
import { create, folderFor, link, node, plinth, Server } from './fixtures/project.ts'

interface Made {
  readonly language: 'ts' | 'js'
  readonly plugins: string
}

async function make(t: Test, { language, plugins }: Made): Promise<string> {
  const parent = await folderFor(t)
  const words = ['library', '--language', language, '--database', 'sqlite', '--plugins', plugins, '--no-install']
  const made = await create(words, parent)
  t.equal(made.code, 0, made.err)
  t.equal(made.out.includes('npx plinth user create ann'), plugins === 'all', 'how the first editor is made')
  await link(join(parent, 'library'))
  return join(parent, 'library')
}

interface Rights {
  readonly actions: readonly string[]
  readonly closed: Readonly<Record<string, readonly string[]>>
}

/** What the roles of the studio may do. The first user is made by the command that the README has. */
async function checkStudio(t: Test, dir: string, server: Server): Promise<void> {
  const page = await fetch(`${server.address}/studio`)
  t.equal(page.status, 200, await page.text())
  const logIn = async (name: string, role: string) => {
    const made = await node([plinth, 'user', 'create', name, '--email', `${name}@example.com`, '--role', role], dir)
    t.equal(made.code, 0, made.err)
    const { body } = await server.post('/api/auth/local', { identifier: name, password: made.out.trim() })
    return (body as { jwt: string }).jwt
  }
  const [editor, author] = [await logIn('ann', 'editor'), await logIn('bob', 'author')]
  const rights = async (jwt: string) => {
    const { body } = await server.get('/api/content-type-builder/rights', jwt)
    const { contentTypes } = (body as { data: { contentTypes: Record<string, Rights> } }).data
    return contentTypes['api::article.article']!
  }
  t.match((await rights(editor)).closed, { create: [], update: [] })
  t.match((await rights(author)).closed, { create: ['publishedAt'], update: ['publishedAt'] })
  t.notOk((await rights(author)).actions.includes('delete'))
  const draft = { title: 'A draft' }
  t.match(await server.post('/api/articles', { data: draft }, author), {
    status: 200,
    body: { data: { attributes: { publishedAt: null } } },
  })
  const published = { ...draft, publishedAt: new Date().toISOString() }
  t.equal((await server.post('/api/articles', { data: published }, author)).status, 403)
  t.equal((await server.post('/api/articles', { data: published }, editor)).status, 200)
}

/** What `npm test` and `npm run types` run. */
async function checkOwnTests(t: Test, dir: string, language: 'ts' | 'js'): Promise<void> {
  const { scripts } = JSON.parse(await readFile(join(dir, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>
  }
  const [program, ...words] = scripts.test!.replaceAll('"', '').split(' ')
  t.equal(program, 'node')
  const tested = await node(words, dir)
  t.equal(tested.code, 0, tested.out)
  t.match(tested.out, /pass [1-9]/, 'tests ran')
  t.equal(scripts.types, language === 'ts' ? 'tsc' : undefined)
  if (language === 'js') return
  const compiled = await node([nativeCompiler], dir)
  t.equal(compiled.out, '', 'tsc reports nothing')
}

for (const language of ['ts', 'js'] as const) {
  t.test(`${language} without plugins`, async t => {
    const dir = await make(t, { language, plugins: 'none' })
    const server = await Server.start(t, dir)
    t.equal((await server.post('/api/articles', { data: { title: 'Ink' } })).status, 200)
    t.match(await server.get('/api/articles'), { body: { data: [{ attributes: { title: 'Ink' } }] } })
    t.equal(await server.end(), 0)
    await checkOwnTests(t, dir, language)
  })

  t.test(`${language} with all plugins`, async t => {
    const dir = await make(t, { language, plugins: 'all' })
    const server = await Server.start(t, dir)
    t.equal((await server.post('/api/articles', { data: { title: 'Ink' } })).status, 403, 'a right is needed')
    const account = { username: 'ada', email: 'ada@example.com', password: 'a long password' }
    const { body } = await server.post('/api/auth/local/register', account)
    const { jwt } = body as { jwt: string }
    const data = { title: 'Ink', publishedAt: new Date().toISOString() }
    t.match(await server.post('/api/articles', { data }, jwt), { status: 200, body: { data: { id: 1 } } })
    const query = '{ articles { data { attributes { title locale } } } }'
    t.match(await server.post('/graphql', { query }), {
      body: { data: { articles: { data: [{ attributes: { title: 'Ink', locale: 'en' } }] } } },
    })
    const form = new FormData()
    form.set('files', new Blob(['Remember the ink.']), 'note.txt')
    const headers = { authorization: `Bearer ${jwt}` }
    const uploaded = await fetch(`${server.address}/api/upload`, { method: 'POST', headers, body: form })
    t.equal(uploaded.status, 200, await uploaded.text())
    t.ok((await stat(join(dir, '.data/uploads'))).isDirectory(), 'files are among the data')
    if (language === 'ts') await checkStudio(t, dir, server)
    t.notMatch(server.text, /was made and stored/, 'no secret was missing')
    t.equal(await server.end(), 0)
    await checkOwnTests(t, dir, language)
  })
}

t.test('tokens without users', async t => {
  const dir = await make(t, { language: 'js', plugins: 'api-tokens,graphql' })
  await checkOwnTests(t, dir, 'js')
})

t.test('secrets', async t => {
  const dirs = [await make(t, { language: 'js', plugins: 'all' }), await make(t, { language: 'js', plugins: 'all' })]
  const [first, second] = await Promise.all(dirs.map(async dir => parseEnv(await readFile(join(dir, '.env'), 'utf8'))))
  for (const name of ['JWT_SECRET', 'API_TOKEN_SALT']) {
    t.match(first![name], /^[\w-]{43}$/, `${name} has 32 bytes`)
    t.not(first![name], second![name], `${name} is fresh`)
  }
  t.equal((await stat(join(dirs[0]!, '.env'))).mode & 0o777, 0o600, 'for its owner alone')
  const example = parseEnv(await readFile(join(dirs[0]!, '.env.example'), 'utf8'))
  t.same(Object.keys(example), Object.keys(first!), 'the example has the same variables')
  t.same([example.JWT_SECRET, example.API_TOKEN_SALT], ['', ''], 'and no secret')
  t.match(await readFile(join(dirs[0]!, '.gitignore'), 'utf8'), /^\.env$/m)
  t.match(await readFile(join(dirs[0]!, '.dockerignore'), 'utf8'), /^\.env$/m)
})
