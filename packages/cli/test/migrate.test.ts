// `plinth migrate` from the command line, on all three databases.

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createKernel } from '@plinth/kernel'
import { databases, freshDatabase, type TestDatabase } from '@plinth/test-tools/databases'
import t, { type Test } from 'tap'
import { plinth } from './plinth.ts'

const schema = (attributes: object, more = {}) => ({
  kind: 'collectionType',
  collectionName: 'posts',
  info: { singularName: 'post', pluralName: 'posts', displayName: 'Post' },
  ...more,
  attributes,
})

/** An application whose database has posts of these attributes. */
async function application(t: Test, database: TestDatabase, attributes: object) {
  const dir = await mkdtemp(join(tmpdir(), 'plinth-cli-'))
  t.teardown(() => rm(dir, { recursive: true, force: true }))
  const write = async (name: string, content: unknown) => {
    const path = join(dir, name)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content))
  }
  const model = (changed: object, more = {}) =>
    write('src/api/post/content-types/post/schema.json', schema(changed, more))
  await model(attributes)
  const kernel = await createKernel({ dir, database: database.config })
  for (const rank of ['1', '2', 'three'])
    await kernel.query('api::post.post').create({ data: { title: `Post ${rank}`, rank, old: rank } })
  await kernel.close()
  return { dir, write, model, run: (...args: string[]) => plinth([...args, '--dir', dir], database.env) }
}

const text = { type: 'text' }

for (const client of await databases()) {
  await t.test(`a change of the model, step by step (${client})`, async t => {
    const database = await freshDatabase(client)
    t.teardown(() => database.drop())
    const app = await application(t, database, { title: text, rank: text, old: text })
    t.match(await app.run('migrate', 'status'), { code: 0, out: /The tables match the model/ })

    await app.model({ headline: { ...text, renamedFrom: 'title' }, rank: { type: 'integer' }, extra: text })
    await app.write(
      'database/migrations/1.js',
      `exports.up = async knex => { await knex('posts').where('id', 1).update({ old: 'x' }) }`,
    )
    const plan = await app.run('migrate', 'plan')
    t.equal(plan.code, 0, plan.err)
    const steps = plan.out.split('\n').filter(line => /^\w/.test(line))
    t.match(steps, [
      /^safe +run:1\.js$/,
      /^safe +rename:posts\.title:headline$/,
      /^safe +add:posts\.extra$/,
      /^blocked +retype:posts\.rank$/,
      /^lossy +drop:posts\.old$/,
      /^3 safe, 1 lossy, 1 blocked\.$/,
      /^Lossy steps run only if they are named: plinth migrate apply drop:posts\.old$/,
    ])
    t.match(plan.out, /ALTER TABLE .posts. RENAME COLUMN .title. TO .headline.;/)
    t.match(plan.out, /1 row has a value that cannot be converted to the new type: id 3/)
    t.match(await app.run('migrate', 'status'), { code: 1, out: /pending {2}1\.js\n/ })
    t.match(await app.run('migrate', 'apply', 'retype:posts.rank'), { code: 1, err: /cannot run: 1 row/ })
    t.match(await app.run('migrate', 'apply', 'drop:posts.odl'), { code: 1, err: /did you mean "drop:posts\.old"\?/ })

    t.match(await app.run('migrate', 'apply'), {
      code: 0,
      out: /ran +rename:posts\.title:headline\nran +add:posts\.extra\npending +retype/,
    })
    const opened = await database.open()
    t.teardown(() => opened.close())
    t.match(await opened.all('SELECT headline, old FROM posts ORDER BY id'), [
      { headline: 'Post 1', old: 'x' },
      { headline: 'Post 2', old: '2' },
      { headline: 'Post three', old: 'three' },
    ])
    await opened.run(`UPDATE posts SET rank = '3' WHERE id = 3`.replace('rank', client === 'mysql' ? '`rank`' : 'rank'))
    const named = await app.run('migrate', 'apply', 'retype:posts.rank', 'drop:posts.old')
    t.match(named, { code: 0, out: /ran +retype:posts\.rank\nran +drop:posts\.old\n/ }, named.err)
    t.match(await app.run('migrate', 'status'), { code: 0, out: /ran +1\.js\nThe tables match the model/ })
    t.match(JSON.parse((await app.run('migrate', 'plan', '--json')).out), { files: [{ isDone: true }], steps: [] })
    const last = await database.open()
    t.teardown(() => last.close())
    const ranks = await last.all('SELECT * FROM posts ORDER BY id')
    t.same(
      ranks.map(row => Number(row.rank)),
      [1, 2, 3],
    )
  })
}

t.test('migrate down reverts the file that ran last', async t => {
  const database = await freshDatabase('sqlite')
  t.teardown(() => database.drop())
  const app = await application(t, database, { title: text })
  t.match(await app.run('migrate', 'down'), { code: 0, out: 'No migration file has run.\n' })
  const update = (title: string) => `async knex => { await knex('posts').where('id', 1).update({ title: '${title}' }) }`
  for (const name of ['1', '2'])
    await app.write(
      `database/migrations/${name}.js`,
      `exports.up = ${update(`up ${name}`)}\n${name === '1' ? '' : `exports.down = ${update('down 2')}`}`,
    )
  t.match(await app.run('migrate', 'apply'), { code: 0, out: /ran +1\.js\nran +2\.js/ })
  t.match(await app.run('migrate', 'down'), { code: 0, out: 'reverted 2.js\n' })
  const opened = await database.open()
  t.teardown(() => opened.close())
  t.match(await opened.all('SELECT title FROM posts WHERE id = 1'), [{ title: 'down 2' }])
  t.match(await app.run('migrate', 'status'), { code: 1, out: /ran +1\.js\npending +2\.js/ })
  t.match(await app.run('migrate', 'down'), { code: 1, err: /1\.js/ }, 'a file without `down`')
})

t.test('unknown commands and options are refused with the known ones', async t => {
  t.match(await plinth(['migrat']), { code: 2, err: /unknown command "migrat", did you mean "migrate"\?/ })
  t.match(await plinth(['migrate', 'up']), {
    code: 2,
    err: /unknown command "up"; the commands are plan, apply, status, down/,
  })
  for (const [words, err] of [
    [['migrate', 'status', '--jsn'], /unknown option "--jsn", did you mean "--json"\?/],
    [['migrate', 'apply', '--dri', 'app'], /unknown option "--dri", did you mean "--dir"\?/],
    [['migrate', 'plan', '--dir'], /--dir needs a value/],
    [['doctor', '--dir', '--json'], /--dir needs a value/],
    [['--dir', 'app', 'doctor'], /--dir must follow the command, which is one of dev, start, routes, /],
    [['migrate', '--json', 'plan'], /--json must follow the command, which is one of plan, apply, status, down/],
  ] as const)
    t.match(await plinth(words), { code: 2, out: '', err }, words.join(' '))
  t.match(await plinth(['--version']), { code: 0, out: /^\d+\.\d+\.\d+\n$/ })
  t.match(await plinth(['migrate', '--help']), { code: 0, out: /plan\|apply\|status\|down/ })
  t.match(await plinth(['migrate', '--help']), { code: 0, out: /plan.*\n.*apply.*\n.*status.*\n.*down/ })
  t.match(await plinth(['migrate', 'plan', '--dir', tmpdir()]), { code: 1, err: /contains no application/ })
})
