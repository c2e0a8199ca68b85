// What the command writes for each database and language, and what it says when something is missing.

import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { run } from '../src/index.ts'
import { folderFor } from './fixtures/project.ts'

/** Runs the command in this process. Returns its exit code and what it printed. */
async function runHere(t: Test, ...args: readonly string[]) {
  const printed: string[] = []
  const note = (...texts: unknown[]) => void printed.push(texts.join(' '))
  const [log, error] = [console.log, console.error]
  console.log = note
  console.error = note
  t.teardown(() => {
    console.log = log
    console.error = error
  })
  try {
    return { code: await run(args), text: printed.join('\n') }
  } finally {
    console.log = log
    console.error = error
  }
}

const isDriver = (name: string) => ['better-sqlite3', 'mysql2', 'pg'].includes(name)
const ports = { mysql: 3306, postgres: 5432 }

for (const database of ['mysql', 'postgres'] as const)
  for (const language of ['ts', 'js'] as const)
    t.test(`${database}, ${language}`, async t => {
      const dir = join(await folderFor(t), 'shop')
      const options = ['--yes', '--database', database, '--language', language, '--plugins', 'upload', '--no-install']
      const { code, text } = await runHere(t, dir, ...options)
      t.equal(code, 0, text)
      t.match(text, 'make the database, and write its name and password into .env')
      const config = await readFile(join(dir, `config/database.${language === 'ts' ? 'ts' : 'mjs'}`), 'utf8').catch(
        () => readFile(join(dir, 'config/database.js'), 'utf8'),
      )
      t.match(config, `client: '${database}'`)
      t.match(config, `env.int('DATABASE_PORT', ${ports[database]})`)
      const env = await readFile(join(dir, '.env'), 'utf8')
      t.match(env, `DATABASE_PORT=${ports[database]}`)
      t.match(env, 'DATABASE_NAME=shop')
      t.match(await readFile(join(dir, 'README.md'), 'utf8'), 'Before the first start, make the database')
      const manifest = JSON.parse(await readFile(join(dir, 'package.json'), 'utf8'))
      t.ok(`@plinth/${database}` in manifest.dependencies, 'its package is installed, which brings the driver')
      t.same(
        Object.keys({ ...manifest.dependencies, ...manifest.devDependencies }).filter(name => isDriver(name)),
        [],
      )
    })

t.test('tarballs', async t => {
  const dir = await folderFor(t)
  const [tarballs, shop] = [join(dir, 'tarballs'), join(dir, 'shop')]
  await mkdir(tarballs)
  const make = () => runHere(t, shop, '--yes', '--plugins', 'draft-publish', '--tarballs', tarballs, '--no-install')
  const missing = await make()
  t.equal(missing.code, 1)
  t.match(missing.text, `--tarballs: ${tarballs} has no tarball of @plinth/`)
  const ofDevelopment = ['testing', 'advice', 'types']
  for (const name of ['kernel', 'server', 'rest', 'cli', 'draft-publish', 'transfer', 'v4', 'sqlite', ...ofDevelopment])
    await writeFile(join(tarballs, `plinth-${name}-1.2.3.tgz`), '')
  const made = await make()
  t.equal(made.code, 0, made.text)
  const { dependencies, devDependencies } = JSON.parse(await readFile(join(shop, 'package.json'), 'utf8'))
  t.equal(dependencies['@plinth/kernel'], 'file:tarballs/plinth-kernel-1.2.3.tgz')
  for (const name of ofDevelopment) {
    t.equal(devDependencies[`@plinth/${name}`], `file:tarballs/plinth-${name}-1.2.3.tgz`)
    t.notOk(`@plinth/${name}` in dependencies, `production does without ${name}`)
  }
  t.match(await readFile(join(shop, 'Dockerfile'), 'utf8'), 'COPY tarballs ./tarballs')
})

t.test('words', async t => {
  t.match(await runHere(t, '--help'), { code: 0, text: 'npm create plinth@latest' })
  t.match(await runHere(t, '--version'), { code: 0, text: /^\d+\.\d+\.\d+/ })
  t.match(await runHere(t, '--databse', 'mysql'), { code: 2, text: 'did you mean --database?' })
  t.match(await runHere(t, '--database', 'oracle'), { code: 2, text: /mysql/ })
  t.match(await runHere(t, 'a', 'b'), { code: 2, text: '"b" is one word too many' })
  t.match(await runHere(t, 'a', '--from-v4', '.', '--language', 'ts'), { code: 2, text: '--language does not go with' })
  const file = join(await folderFor(t), 'file')
  await writeFile(file, '')
  t.match(await runHere(t, join(file, 'shop'), '--yes', '--no-install'), { code: 1, text: 'file' })
})
