// `plinth generate`: what it writes starts and passes the type check, and nothing is overwritten.

import { execFile } from 'node:child_process'
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { nativeCompiler } from '@plinth/test-tools/compiler'
import t, { type Test } from 'tap'
import { application, noteSchema, schemaFile } from './application.ts'
import { plinth } from './plinth.ts'

const packages = createRequire(import.meta.url)

/** The options of a strict compiler. */
const compilerOptions = {
  target: 'es2024',
  lib: ['es2024'],
  module: 'nodenext',
  types: ['node'],
  typeRoots: [join(dirname(packages.resolve('@types/node/package.json')), '..')],
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  allowImportingTsExtensions: true,
  erasableSyntaxOnly: true,
  verbatimModuleSyntax: true,
  noUncheckedIndexedAccess: true,
}

t.test('types, components and plugins that start', async t => {
  const app = await application(t, { 'config/plugins.json': JSON.stringify({ rest: true, 'draft-publish': true }) })
  const run = (...words: string[]) => plinth([...words, '--dir', app.dir], app.env)
  const generated = async (...words: string[]) => {
    const { code, out, err } = await run('generate', ...words)
    t.equal(code, 0, err)
    return out
  }
  t.equal(await generated('component', 'shared.meta-tag', 'words:text'), 'src/components/shared/meta-tag.json\n')
  t.equal(await generated('api', 'story'), 'src/api/story/content-types/story/schema.json\n')
  t.equal(
    await generated(
      'api',
      'news-item',
      'headline:string:required:unique',
      'kind:enumeration=news,essay:required',
      'note:manyToOne=api::note.note',
      'tags:components=shared.meta-tag',
      'place:uid=headline',
      '--drafts',
    ),
    'src/api/news-item/content-types/news-item/schema.json\n',
  )
  t.match(JSON.parse(await readFile(join(app.dir, 'src/api/news-item/content-types/news-item/schema.json'), 'utf8')), {
    $schema: '../../../../../types/content-type.schema.json',
    kind: 'collectionType',
    collectionName: 'news_items',
    info: { singularName: 'news-item', pluralName: 'news-items', displayName: 'News item' },
    options: { draftAndPublish: true },
    attributes: {
      headline: { type: 'string', required: true, unique: true },
      kind: { type: 'enumeration', enum: ['news', 'essay'], required: true },
      note: { type: 'relation', relation: 'manyToOne', target: 'api::note.note' },
      tags: { type: 'component', component: 'shared.meta-tag', repeatable: true },
      place: { type: 'uid', targetField: 'headline' },
    },
  })
  t.match(JSON.parse(await readFile(join(app.dir, 'src/components/shared/meta-tag.json'), 'utf8')), {
    $schema: '../../../types/component.schema.json',
  })
  await generated('content-type', 'opinion', '--api', 'story', '--single', '--plural', 'opinions-all')
  const [pluginFile, pluginTest] = ['src/plugins/word-count/index.mjs', 'src/plugins/word-count/index.test.mjs']
  t.equal(await generated('plugin', 'word-count'), `${pluginFile}\n${pluginTest}\n`)
  const plugins = { rest: true, 'draft-publish': true, 'word-count': { resolve: `./${pluginFile}` } }
  await app.write('config/plugins.json', JSON.stringify(plugins))
  await linkPackages(app.dir)
  const code = `(await Promise.all(['stories', 'news-items?populate=*', 'opinion', 'word-count/hello'].map(path => app.inject('/api/' + path)))).map(one => [one.statusCode, one.json().data])`
  const { out, err } = await run('console', '--eval', code)
  t.same(
    JSON.parse(out || '[]'),
    [
      [200, []],
      [200, []],
      [404, null],
      [200, 'Hello'],
    ],
    err,
  )
  await passes(t, app.dir, pluginTest)
})

t.test('media, translations and both sides of a relation', async t => {
  const writer = noteSchema({ name: { type: 'string' } }).replaceAll('note', 'writer')
  const app = await application(t, {
    'config/plugins.json': JSON.stringify({ rest: true, i18n: true, upload: true }),
    'src/api/writer/content-types/writer/schema.json': writer,
  })
  const run = (...words: string[]) => plinth([...words, '--dir', app.dir], app.env)
  const schemaOf = async (name: string) =>
    JSON.parse(await readFile(join(app.dir, `src/api/${name}/content-types/${name}/schema.json`), 'utf8'))
  const words = [
    'title:string:required:localized',
    'cover:media=images',
    'pictures:medias',
    'author:manyToOne=api::writer.writer/books',
  ]
  const { code, out, err } = await run('generate', 'api', 'book', ...words, 'parent:manyToOne=api::book.book/parts')
  t.equal(code, 0, err)
  t.match(out, /book\/schema\.json\nsrc\/api\/writer\/content-types\/writer\/schema\.json \(books added\)\n$/)
  const target = 'api::book.book'
  t.match(await schemaOf('book'), {
    pluginOptions: { i18n: { localized: true } },
    attributes: {
      title: { type: 'string', required: true, pluginOptions: { i18n: { localized: true } } },
      cover: { type: 'media', multiple: false, allowedTypes: ['images'] },
      pictures: { type: 'media', multiple: true },
      author: { type: 'relation', relation: 'manyToOne', target: 'api::writer.writer', inversedBy: 'books' },
      parent: { type: 'relation', relation: 'manyToOne', target, inversedBy: 'parts' },
      parts: { type: 'relation', relation: 'oneToMany', target, mappedBy: 'parent' },
    },
  })
  t.match(await schemaOf('writer'), {
    attributes: {
      name: { type: 'string' },
      books: { type: 'relation', relation: 'oneToMany', target, mappedBy: 'author' },
    },
  })
  t.match(await run('generate', 'api', 'shelf', 'books:oneToMany=api::book.book/shelf'), { code: 0 })
  t.match(await schemaOf('book'), { attributes: { shelf: { relation: 'manyToOne', inversedBy: 'books' } } })
  t.match(await run('generate', 'api', 'label', '--localized'), { code: 0 })
  t.match(await schemaOf('label'), { pluginOptions: { i18n: { localized: true } } })
  const create = `const query = kernel.query('api::book.book'); const writer = await kernel.query('api::writer.writer').create({ data: { name: 'Ann' } });
    await query.create({ data: { title: 'a', author: writer.id } }); return (await kernel.query('api::writer.writer').findMany({ populate: ['books'] }))[0].books.length`
  t.match(await run('console', '--eval', create), { code: 0, out: '1' })
  for (const [more, fault] of [
    [['api', 'pen', 'owner:manyToOne=api::writer.writer/name'], /api::writer\.writer has an attribute "name" already/],
    [['api', 'pen', 'owner:manyToOne=api::writer.write/pens'], /did you mean "api::writer\.writer"\?/],
    [['api', 'pen', 'owner:manyToOne=api::writer.writer/my-pens'], /must consist of letters and digits/],
    [['component', 'shared.pen', 'ink:string:localized'], /neither localized nor the other side/],
  ] as const)
    t.match(await run('generate', ...more), { code: 1, out: '', err: fault }, more.join(' '))
})

t.test('the rights of a new type, and where they go', async t => {
  const roles = { resolve: './roles.mjs' }
  const generated = async (plugins: object, ...words: string[]) => {
    const app = await application(t, {
      'config/plugins.json': JSON.stringify(plugins),
      // The name is all that counts.
      'roles.mjs': `import { definePlugin } from '@plinth/kernel'
        const config = { type: 'object', properties: { permissions: {} } }
        export default definePlugin({ name: 'users-permissions', config, register() {} })`,
    })
    await linkPackages(app.dir)
    return (await plinth(['generate', 'api', ...words, '--dir', app.dir], app.env)).err
  }
  const permitted = await generated({ rest: true, 'users-permissions': roles }, 'story')
  t.match(permitted, /Nobody may use api::story\.story yet\. Rights go into config\/plugins/)
  t.match(permitted, "public: ['api::story.story.find', 'api::story.story.findOne'],")
  t.match(permitted, "'api::story.story.create', 'api::story.story.update', 'api::story.story.delete'],")
  const permissions = { editor: ['plugin::upload.*', 'api::*'], author: ['api::story.story.find'] }
  const covered = await generated({ rest: true, 'users-permissions': { ...roles, config: { permissions } } }, 'story')
  t.match(covered, /Only these roles may use api::story\.story: editor \(by api::\*\)\. Rights go into/)
  const single = await generated({ rest: true, 'users-permissions': roles }, 'home', '--single')
  t.match(single, "public: ['api::home.home.find'],")
  t.notMatch(single, 'findOne')
  const tokens = await generated({ rest: true, 'api-tokens': true }, 'story')
  t.match(tokens, 'plinth token create story --type custom --actions "api::story.story.*"')
  t.match(await generated({ rest: true }, 'story'), /Everybody may read and write api::story\.story/)
})

/** Runs a generated test, which must pass, and must fail if the plugin answers something else. */
async function passes(t: Test, dir: string, path: string): Promise<void> {
  const run = () =>
    promisify(execFile)(process.execPath, ['--test', path], {
      cwd: dir,
      env: { ...process.env, NODE_OPTIONS: '' },
    }).then(
      ({ stdout }) => stdout,
      error => `failed: ${error.stdout}`,
    )
  t.match(await run(), /^(?!failed).*pass 1\n/s, path)
  const plugin = join(dir, path.replace('.test.', '.'))
  const text = await readFile(plugin, 'utf8')
  await writeFile(plugin, text.replace('data: config.greeting', "data: 'Goodbye'"))
  t.match(await run(), /^failed: .*Goodbye/s, `${path} tests the answer`)
  await writeFile(plugin, text)
}

/** What a package manager would install. */
async function linkPackages(dir: string): Promise<void> {
  for (const name of ['@plinth/kernel', '@plinth/server', '@plinth/testing', 'fastify']) {
    const target = join(dir, 'node_modules', name)
    await mkdir(dirname(target), { recursive: true })
    await symlink(dirname(packages.resolve(`${name}/package.json`)), target)
  }
}

t.test('a plugin in TypeScript passes a strict type check', async t => {
  const app = await application(t, {
    'tsconfig.json': JSON.stringify({ compilerOptions, include: ['src'] }),
    'package.json': '{ "type": "module" }',
  })
  t.match(await plinth(['generate', 'plugin', 'tags', '--dir', app.dir], app.env), {
    code: 0,
    out: 'src/plugins/tags/index.ts\nsrc/plugins/tags/index.test.ts\n',
    err: /tags: \{ resolve: '\.\/src\/plugins\/tags\/index\.ts' \}.*node --test src\/plugins\/tags\/index\.test\.ts/s,
  })
  await linkPackages(app.dir)
  const check = () =>
    promisify(execFile)(process.execPath, [nativeCompiler, '-p', app.dir]).then(
      () => '',
      error => error.stdout,
    )
  t.equal(await check(), '')
  await passes(t, app.dir, 'src/plugins/tags/index.test.ts')
  const path = 'src/plugins/tags/index.ts'
  const text = await readFile(join(app.dir, path), 'utf8')
  await app.write(path, text.replace('config.greeting', 'config.greting'))
  t.match(await check(), /'greting' does not exist/, 'the check sees the types')
})

t.test('a content type in TypeScript starts, and its options are checked', async t => {
  const app = await application(t, {
    'config/plugins.json': JSON.stringify({ rest: true, 'draft-publish': true }),
    'tsconfig.json': JSON.stringify({ compilerOptions, include: ['src'] }),
    'package.json': '{ "type": "module" }',
  })
  const path = 'src/api/story/content-types/story/schema.ts'
  const words = ['title:string:required', 'kind:enumeration=news,essay', 'note:manyToOne=api::note.note', '--drafts']
  const generate = () => plinth(['generate', 'api', 'story', ...words, '--ts', '--dir', app.dir], app.env)
  t.match(await generate(), { code: 0, out: `${path}\n` })
  t.match(await generate(), { code: 1 }, 'it is not overwritten')
  const text = await readFile(join(app.dir, path), 'utf8')
  t.match(text, "export default defineContentType({\n  kind: 'collectionType',\n  collectionName: 'stories',\n")
  t.match(text, "    kind: {\n      type: 'enumeration',\n      enum: ['news', 'essay'],\n    },\n")
  await linkPackages(app.dir)
  const check = () =>
    promisify(execFile)(process.execPath, [nativeCompiler, '-p', app.dir]).then(
      () => '',
      error => error.stdout,
    )
  t.equal(await check(), '')
  const code = "(await app.inject('/api/stories')).statusCode"
  t.match(await plinth(['console', '--eval', code, '--dir', app.dir], app.env), { out: '200' })
  await app.write(path, text.replace('required', 'requird'))
  t.match(await check(), /schema\.ts\(\d+,\d+\): error TS/)
})

t.test('nothing is overwritten, and faults are named before anything is written', async t => {
  const app = await application(t)
  await app.write(
    'node_modules/plinth-plugin-stars/package.json',
    '{ "name": "plinth-plugin-stars", "exports": "./x.js" }',
  )
  const before = await readFile(join(app.dir, schemaFile), 'utf8')
  for (const [words, err] of [
    [['api', 'note'], /src\/api\/note exists already/],
    [['content-type', 'note', '--api', 'note'], /content-types\/note\/schema\.json exists already/],
    [['content-type', 'review', '--api', 'nite'], /unknown API "nite", did you mean "note"\?/],
    [['content-type', 'review'], /which API\? Add --api <name>/],
    [['api'], /the API needs a name: plinth generate api <name>/],
    [['api', 'myStory'], /"myStory" must be in kebab-case.*did you mean "my-story"\?/],
    [['api', 'story', '--plural', 'notes'], /"notes" is already used by api::note\.note/],
    [['api', 'story', 'title:strng'], /unknown attribute type "strng", did you mean "string"\?/],
    [['api', 'story', 'note:manyToOne=api::note.nite'], /did you mean "api::note\.note"\?/],
    [['api', 'story', 'note:manyToOn=api::note.note'], /did you mean "manyToOne"\?/],
    [['api', 'story', 'note:manyToOne'], /manyToOne needs a value, such as note:manyToOne=/],
    [['api', 'story', 'title:string:reqired'], /unknown option "reqired", did you mean "required"\?/],
    [['api', 'story', 'title'], /"title" is not an attribute: write name:type/],
    [['api', 'story', 'a:string', 'a:text'], /the attribute "a" is named twice/],
    [['component', 'seo'], /must be <category>\.<name>/],
    [['component', 'shared.Seo'], /did you mean "seo"\?/],
    [['plugin', '../evil'], /must be in kebab-case/],
    [
      ['plugin', 'stars'],
      /the plugin "stars" is installed already, as the package plinth-plugin-stars; choose another/,
    ],
  ] as const)
    t.match(await plinth(['generate', ...words, '--dir', app.dir], app.env), { code: 1, out: '', err }, words.join(' '))
  t.match(await plinth(['generate', 'apy'], app.env), { code: 2, err: /did you mean "api"\?/ })
  t.equal(await readFile(join(app.dir, schemaFile), 'utf8'), before)
  const { out } = await plinth(['content-types', '--json', '--dir', app.dir], app.env)
  t.same(
    (JSON.parse(out) as { uid: string }[]).map(one => one.uid),
    ['api::note.note'],
  )
})
