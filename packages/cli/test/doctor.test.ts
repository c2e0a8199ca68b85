// `plinth doctor` on a project of Strapi v4, on all three databases: it reports, and changes nothing.

import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { databases } from '@plinth/test-tools/databases'
import { copyDatabase, project } from '@plinth/test-tools/recordings'
import { takeSnapshot } from '@plinth/test-tools/snapshot'
import t, { type Test } from 'tap'
import type { Report } from '../src/doctor.ts'
import { plinth, plinthProcess } from './plinth.ts'

const tagSchema = 'src/api/tag/content-types/tag/schema.json'

/** A copy of the project with code of its own. */
async function projectWithCode(t: Test): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'plinth-doctor-'))
  t.teardown(() => rm(dir, { recursive: true, force: true }))
  await cp(project, dir, { recursive: true })
  const write = async (name: string, content: string) => {
    await mkdir(join(dir, name, '..'), { recursive: true })
    await writeFile(join(dir, name), content)
  }
  await write(
    'src/api/order/controllers/order.js',
    `const { createCoreController } = require('@strapi/strapi').factories
     module.exports = createCoreController('api::order.order', ({ strapi }) => ({ async pay(ctx) { return strapi } }))`,
  )
  await write(
    'src/api/tag/controllers/tag.ts',
    `import { factories } from '@strapi/strapi'\n\nexport default factories.createCoreController('api::tag.tag');\n`,
  )
  await write(
    'src/api/tag/content-types/tag/lifecycles.js',
    `const utils = require('@strapi/utils'); exports.beforeCreate = () => { strapi.log.info(utils) }`,
  )
  await write(
    'src/index.js',
    `'use strict';\nmodule.exports = { register() {}, async bootstrap({ strapi }) { strapi.go() } }`,
  )
  await write(
    'src/plugins/slone/server/register.js',
    `module.exports = ({ strapi }) => strapi.customFields.register({ name: 'slone', plugin: 'slone', type: 'string' })`,
  )
  const tag = JSON.parse(await readFile(join(dir, tagSchema), 'utf8'))
  const field = (customField: string) => ({ type: 'customField', customField })
  Object.assign(tag.attributes, {
    // A column that v4 has made for a text.
    label: field('plugin::unknown.label'),
    colour: field('plugin::color-picker.color'),
    slone: field('plugin::slone.slone'),
    nothing: field('plugin::nobody.knows'),
    owner: { type: 'relation', relation: 'manyToOne', target: 'admin::user' },
  })
  await write(tagSchema, JSON.stringify(tag))
  await write('src/mail.js', `module.exports = () => strapi.plugins.email // as v4 has it`)
  await write('src/slug.js', `module.exports = text => text.toLowerCase() // not strapi's`)
  await write('src/admin/app.js', 'export default {}')
  await write('src/policies/is-owner.js', `module.exports = () => { throw new Error('never run') }`)
  await write('src/extensions/users-permissions/content-types/user/schema.json', '{ "attributes": {} }')
  await write(
    'src/extensions/i18n/content-types/locale/schema.json',
    '{ "attributes": { "name": { "type": "string" }, "code": { "type": "string" }, "flag": { "type": "string" } } }',
  )
  return dir
}

for (const client of await databases()) {
  await t.test(`doctor (${client})`, async t => {
    const dir = await projectWithCode(t)
    const database = await copyDatabase(client)
    t.teardown(() => database.drop())
    const before = await takeSnapshot(database)
    const files = await readdir(dir, { recursive: true })
    const { code, out, err } = await plinth(['doctor', '--dir', dir, '--json'], database.env)
    t.equal(code, 0, err)
    const { serves, customFields, ignores, differs, v4 } = JSON.parse(out) as Report
    t.equal(serves.types.length, 11)
    t.match(serves.types[0], { uid: 'api::article.article', path: '/api/articles', table: 'articles' })
    t.ok(serves.plugins.includes('i18n'), 'of a package that the project has')
    const paths = ignores.map(one => one.path)
    for (const path of ['src/api/order/controllers/order.js', 'src/admin', 'src/index.js', 'config/admin.js'])
      t.ok(paths.includes(path), path)
    t.match(
      ignores.filter(({ path }) => /^src\/\w+\.js$/.test(path)),
      [
        { path: 'src/index.js', why: 'register and bootstrap receive `kernel`, not `strapi`' },
        { path: 'src/mail.js', why: 'there is no global `strapi`' },
      ],
    )
    t.match(
      ignores.find(({ path }) => path === 'src/policies')?.why,
      'global policies, each run only for actions for which code names it (kernel.actions.set)',
    )
    t.notOk(paths.includes('src/extensions'), 'schemas are read')
    t.ok(
      differs.added.some(text => /flag/.test(text)),
      'with extensions of plugins that are found',
    )
    t.notOk(paths.includes('src/slug.js'), 'not what needs nothing of v4')
    t.ok(paths.includes('src/api/tag/content-types/tag/lifecycles.js'), 'lifecycles that need v4')
    t.notOk(
      paths.some(path => /tag\/controllers|article\/(controllers|services|routes)/.test(path)),
      'not what is v4 alone',
    )
    const noCheck = { isChecked: false }
    t.match(
      customFields.filter(one => one.path.startsWith('api::tag.')),
      [
        { path: 'api::tag.tag.label', type: 'string', isGuessed: true, source: /^from the column, which is / },
        {
          path: 'api::tag.tag.colour',
          type: 'string',
          isGuessed: false,
          source: 'the list of known fields',
          ...noCheck,
        },
        { path: 'api::tag.tag.slone', type: 'string', source: 'src/plugins/slone/server/register.js' },
        { path: 'api::tag.tag.nothing', type: 'text', isGuessed: true, source: /^nothing says/ },
      ],
    )
    t.match(ignores.find(one => one.path === 'api::tag.tag.owner')?.why, /because Plinth has no administrators$/)
    t.equal(differs.fault, null)
    t.same(differs.changed, [], 'v4 and Plinth agree on every type and name')
    t.ok(
      differs.added.every(text =>
        /^creates (an index|the table)|^adds the column (i18n_locale.flag|tags.(colour|slone|nothing))$/.test(text),
      ),
      differs.added.join('\n'),
    )
    t.ok(differs.unused.includes('admin_users'))
    t.type(v4?.stored.unused.admin_users, 'number', 'their rows are counted')
    t.ok(v4?.stored.rights.every(({ action, rows }) => /^(?:api|plugin)::/.test(action) && rows > 0))
    t.same(differs.remarks, [], 'v4 ran in UTC')
    t.same(await takeSnapshot(database), before, 'the database is as it was')
    t.same(await readdir(dir, { recursive: true }), files, 'and so is the project')
    const report = (await plinth(['doctor', '--dir', dir], database.env)).out
    t.match(report, /Plinth serves 11 content types and 8 components/)
    t.match(
      report,
      /api::tag\.tag\.colour: plugin::color-picker\.color is string \(the list of known fields\); the validation of its own plugin does not run/,
    )
  })
}

t.test('a database that does not exist', async t => {
  const dir = await projectWithCode(t)
  const { code, out } = await plinth(['doctor', '--dir', dir], { DATABASE_FILENAME: join(dir, 'none/data.db') })
  t.equal(code, 0)
  t.match(out, /It could not be inspected: The database .*none.* does not exist/)
  t.match(
    out,
    /A start would add\n {2}the file, and the tables of all content types\n\nWhat is stored, .* is not known\n/,
  )
  t.notMatch(out, /Plinth does not use|which is not there/, 'nothing is said of what nobody knows')
  t.notOk((await readdir(dir)).includes('none'))
  t.ok((await readFile(join(dir, 'src/index.js'), 'utf8')).includes('strapi.go'))
})

t.test('a server that cannot be reached stops a start', async t => {
  const dir = await projectWithCode(t)
  for (const DATABASE_CLIENT of ['mysql', 'postgres']) {
    const env = { DATABASE_CLIENT, DATABASE_HOST: '127.0.0.1', DATABASE_PORT: '1', DATABASE_NAME: 'none' }
    const { code, out } = await plinth(['doctor', '--dir', dir, '--json'], env)
    t.equal(code, 1, DATABASE_CLIENT)
    const { faults, differs, serves } = JSON.parse(out) as Report
    t.match(faults, [{ place: 'config/database', what: /ECONNREFUSED/ }])
    t.equal(faults.length, 1)
    t.match(differs.fault, /ECONNREFUSED/)
    t.ok(serves.types.length > 5, 'all else is reported')
    const text = (await plinth(['doctor', '--dir', dir], env)).out
    t.match(text, /What a start would change, and what is stored, .* is not known/)
    t.notMatch(text, /A start would add|Only `plinth migrate apply`|Plinth does not use/)
  }
})

for (const [client, own] of Object.entries({ sqlite: 'better-sqlite3', mysql: 'mysql2', postgres: 'pg' })) {
  t.test(`the packages of other databases are not needed (${client})`, async t => {
    const others = ['better-sqlite3', 'mysql2', 'pg'].filter(name => name !== own)
    const hooks = `import { registerHooks } from 'node:module'
      registerHooks({ resolve(name, context, next) {
        if (!${JSON.stringify(others)}.includes(name)) return next(name, context)
        console.error('loads', name)
        throw Object.assign(new Error(\`no package '\${name}'\`), { code: 'ERR_MODULE_NOT_FOUND' })
      } })`
    const { code, out, err } = await plinth(['doctor', '--dir', await projectWithCode(t)], {
      NODE_OPTIONS: `${process.env.PLINTH_PRELOAD ?? ''} --import=data:text/javascript,${encodeURIComponent(hooks)}`,
      DATABASE_CLIENT: client,
      DATABASE_FILENAME: '/none/data.db',
      DATABASE_HOST: '127.0.0.1',
      DATABASE_PORT: '1',
      DATABASE_NAME: 'none',
    })
    t.equal(code, client === 'sqlite' ? 0 : 1)
    t.equal(err, '', 'none of them is asked for')
    t.match(out, /Plinth serves 11 content types and 8 components/)
    t.match(out, client === 'sqlite' ? /does not exist/ : /ECONNREFUSED/)
  })
}

t.test('an application written for Plinth', async t => {
  const dir = join(import.meta.dirname, '../../../apps/example')
  const { code, out } = await plinth(['doctor', '--dir', dir, '--json'], { DATABASE_FILENAME: '/none/data.db' })
  t.equal(code, 0)
  const { ignores } = JSON.parse(out) as Report
  t.same(
    ignores.map(({ path }) => path).filter(path => path.startsWith('src/')),
    ['src/policies'],
    'v4 runs policies where routes name them, Plinth where code does',
  )
})

t.test('tables that Plinth keeps beside the model are not unused', async t => {
  for (const client of await databases()) {
    const dir = await projectWithCode(t)
    const database = await copyDatabase(client)
    t.teardown(() => database.drop())
    const connection = await database.open()
    const tables = ['upload_journal', 'plinth_import', 'upload_file_morph']
    for (const table of tables) await connection.run(`CREATE TABLE ${table} (id integer)`)
    await connection.close()
    const { out } = await plinth(['doctor', '--dir', dir, '--json'], database.env)
    const { unused } = (JSON.parse(out) as Report).differs
    t.same(
      tables.map(table => unused.includes(table)),
      [false, false, true],
      `${client}: the last is of v3`,
    )
  }
})

t.test('the zone in which datetimes are stored', async t => {
  for (const client of await databases()) {
    const dir = await projectWithCode(t)
    const database = await copyDatabase(client)
    t.teardown(() => database.drop())
    const remarks = async (env: Readonly<Record<string, string>>) => {
      // Of its own, because the settings change.
      const { out } = await plinthProcess(['doctor', '--dir', dir, '--json'], { ...database.env, ...env })
      return (JSON.parse(out) as Report).differs.remarks
    }
    const isServer = client !== 'sqlite'
    const unsaid = /^config\/database does not say .* which is Asia\/Tokyo here, .* set storedTimeZone to 'Asia\/Tokyo'/
    t.match(await remarks({ TZ: 'Asia/Tokyo' }), isServer ? [unsaid] : [])
    // What v4 wrote a moment ago, in a zone to the east.
    const connection = await database.open()
    const now = new Date(Date.now() + 9 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ')
    if (isServer) await connection.run(`UPDATE articles SET updated_at = '${now}'`)
    await connection.close()
    const late =
      /^Times of the past lie in the future: articles.updated_at \(20\d\d-.*Z\)\. They were stored in another/
    t.match(await remarks({ TZ: 'UTC' }), isServer ? [late] : [])
    const file = `module.exports = ({ env }) => ({ client: env('DATABASE_CLIENT'), storedTimeZone: 'Asia/Tokyo' })`
    await writeFile(join(dir, 'config/database.js'), file)
    await rm(join(dir, 'config/database.ts'), { force: true })
    t.same(
      await remarks({ TZ: 'UTC' }),
      isServer ? ['Datetimes are stored in the time of Asia/Tokyo, as config/database says'] : [],
    )
    const report = (await plinthProcess(['doctor', '--dir', dir], database.env)).out
    if (isServer)
      t.match(report, /The database is \w+ \w+\n {2}Datetimes are stored in the time of Asia\/Tokyo, as config/)
  }
})
