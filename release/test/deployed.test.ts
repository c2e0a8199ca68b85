// The example, deployed from the workspace in the ways of pnpm, answers as in production, and what its developer has in
// the folder does not travel along.

import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import t, { type Test } from 'tap'
import { folderFor, root } from './fixtures/packed.ts'
import { answerOf } from './fixtures/served.ts'
import { copyWorkspace, pnpm } from './fixtures/workspace.ts'

const dir = await folderFor(t)
const application = join(dir, 'apps/example')
await copyWorkspace(dir)

/** What a developer has, and the repository has not. */
const own = ['.data/plinth.db', '.data/plinth.db-wal', '.env', 'public/uploads/photo.png', 'notes.db']
for (const path of own) {
  await mkdir(dirname(join(application, path)), { recursive: true })
  await writeFile(join(application, path), '')
}

const manual = await readFile(join(root, 'docs/deployment.md'), 'utf8')

/** The words of a command of pnpm in docs/deployment.md, some of them replaced. */
function wordsOf(command: string, replaced: Readonly<Record<string, string>>): string[] {
  const line = new RegExp(`^pnpm (.*\\b${command}\\b.*)$`, 'm').exec(manual)?.[1]
  if (line === undefined) throw new Error(`docs/deployment.md has no pnpm ${command}`)
  for (const word of Object.keys(replaced)) if (!line.includes(word)) throw new Error(`${line} has no ${word}`)
  return line.split(' ').map(word => replaced[word] ?? word)
}

async function checkServed(t: Test, folder: string): Promise<void> {
  const files = { DATABASE_FILENAME: join(dir, `${t.name}.db`), UPLOAD_FOLDER: join(dir, `${t.name}-uploads`) }
  const secrets = { API_TOKEN_SALT: 'a'.repeat(32), JWT_SECRET: 'b'.repeat(32), ENV_PATH: join(dir, 'no.env') }
  const request = { dir: folder, program: 'src/start.js', path: '/api/articles?pagination[limit]=1' }
  const { status, body } = await answerOf({ ...request, env: { ...files, ...secrets } })
  t.match({ status, body }, { status: 200, body: { data: [{ attributes: {} }], meta: {} } })
}

t.test('deploy', async t => {
  const out = join(dir, 'out')
  await pnpm(dir, ...wordsOf('deploy', { '--filter=library': '--filter=example', '/srv/library': out }))
  const found = (await readdir(out, { recursive: true })).filter(path => !path.startsWith('node_modules'))
  t.ok(found.includes('config') && found.includes('src'))
  for (const path of own) t.notOk(found.includes(path), `${path} stays`)
  await checkServed(t, out)
})

t.test('install', async t => {
  // A clone has no bundle, and an installation for production cannot make it.
  await rm(join(dir, 'packages/kernel/lib/typebox.js'))
  await pnpm(dir, ...wordsOf('install', {}))
  await checkServed(t, application)
})
