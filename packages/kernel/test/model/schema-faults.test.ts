// A faulty schema file stops the start with a message that names the file, the path, the fault and the nearest word
// (B-10.1 to B-10.26). An attribute whose plugin is not enabled does not stop it.

import t, { type Test } from 'tap'
import { createKernel } from '../../src/index.ts'
import { boot, component, folder, notes, repositories, thrown, type, uid } from '../fixtures/boot.ts'

const personFile = 'src/api/person/content-types/person/schema.json'
const articleFile = 'src/api/article/content-types/article/schema.json'
const seoFile = 'src/components/shared/seo.json'

/** Two types and a component that load. */
type Tree = Record<string, unknown>

function sound(): Tree {
  const schemas = {
    [personFile]: {
      ...type('person', {
        name: { type: 'string' },
        articles: { type: 'relation', relation: 'oneToMany', target: uid('article'), mappedBy: 'author' },
        about: { type: 'relation', relation: 'morphToMany' },
      }),
      uid: undefined,
    },
    [articleFile]: {
      ...type('article', {
        title: { type: 'string', required: true },
        kind: { type: 'enumeration', enum: ['short', 'long'] },
        author: { type: 'relation', relation: 'manyToOne', target: uid('person'), inversedBy: 'articles' },
        mentions: { type: 'relation', relation: 'morphMany', target: uid('person'), morphBy: 'about' },
        seo: { type: 'component', component: 'shared.seo' },
        zone: { type: 'dynamiczone', components: ['shared.seo'] },
      }),
      uid: undefined,
    },
    [seoFile]: component('shared.seo', { metaTitle: { type: 'string' } }),
  }
  return structuredClone(schemas)
}

/** A place in a file, what stands there instead, and the words that follow file and path. */
type Row = readonly [path: string, value: unknown, words: string]

const inArticle: readonly Row[] = [
  ['attributes.title.type', 'strng', 'unknown attribute type "strng", did you mean "string"?'],
  ['attributes.title.type', undefined, 'is missing'],
  ['attributes.title.requierd', true, 'unknown option, did you mean "required"?'],
  ['attributes.title.required', 'yes', 'must be true or false'],
  ['attributes.title.writable', 'no', 'must be true or false'],
  ['attributes.title.searchable', 0, 'must be true or false'],
  ['attributes.title.maxLength', 'ten', 'must be a number'],
  ['attributes.title.regex', '(', 'Invalid regular expression'],
  ['attributes.author.relation', 'manyToOen', 'unknown relation "manyToOen", did you mean "manyToOne"?'],
  ['attributes.author.relation', undefined, 'is missing'],
  ['attributes.author.target', undefined, 'is missing'],
  [
    'attributes.author.target',
    'api::persn.person',
    'unknown content type "api::persn.person", did you mean "api::person.person"?',
  ],
  [
    'attributes.author.inversedBy',
    'artikles',
    'api::person.person has no relation "artikles", did you mean "articles"?',
  ],
  ['attributes.author.inversedBy', 'name', 'api::person.person has no relation "name"'],
  ['attributes.author.mappedBy', 'articles', 'a relation must not have both inversedBy and mappedBy'],
  [
    'attributes.mentions.morphBy',
    'abuot',
    'api::person.person has no polymorphic relation "abuot", did you mean "about"?',
  ],
  ['attributes.mentions.morphBy', undefined, 'is missing'],
  ['info', undefined, 'is missing'],
  ['info.displayName', undefined, 'is missing'],
  ['info.singularName', 'Article', 'must be in kebab-case, did you mean "article"?'],
  ['info.pluralName', 'article', 'must differ from singularName "article"'],
  ['kind', 'colectionType', 'must be one of "collectionType", "singleType"'],
  ['attributes', undefined, 'is missing'],
  ['attributes.id', { type: 'integer' }, 'the name "id" is reserved'],
  ['attributes._', { type: 'integer' }, 'a name must begin with a letter'],
  ['attributes.title', null, 'must be an object'],
  ['renamedFrom', 5, 'must be a former name or a list of former names'],
  ['renamedFrom', ['a', ''], 'must be a former name or a list of former names'],
  ['attributes.title.renamedFrom', [5], 'must be a former name or a list of former names'],
  ['attributes.a b', { type: 'integer' }, 'a name must begin with a letter'],
  ['attributes.kind.enum', [], 'must be a list of at least one value'],
  ['attributes.kind.enum', undefined, 'is missing'],
  ['attributes.kind.enum', ['a', 5], 'every value must be a string, found 5'],
  ['attributes.kind.enum', ['a', '2nd'], '"2nd" has no letter before its first digit'],
  ['attributes.kind.enum', ['a b', 'a-b'], '"a-b" and "a b" yield the same name "a_b"'],
  ['attributes.seo.component', 'shared.soe', 'unknown component "shared.soe", did you mean "shared.seo"?'],
  ['attributes.seo.component', uid('person'), 'unknown component "api::person.person"'],
  ['attributes.seo.component', undefined, 'is missing'],
  ['attributes.zone.components', undefined, 'must be a list'],
]

const inPerson: readonly Row[] = [
  ['info.pluralName', 'articles', '"articles" is already used by api::article.article'],
  ['info.singularName', 'articles', '"articles" is already used by api::article.article'],
]

const inSeo: readonly Row[] = [
  ['attributes.zone', { type: 'dynamiczone', components: [] }, 'a component cannot contain a dynamic zone'],
  ['collectionName', undefined, 'is missing'],
]

/** Whole files, and the message after the file's name. */
const whole: readonly (readonly [file: string, content: unknown, words: string])[] = [
  [seoFile, '{"collectionName": ', 'is not valid JSON: '],
  [articleFile, [], 'must be an object'],
  [articleFile, null, 'must be an object'],
  [
    articleFile,
    { info: type('a', {}).info, atributes: {} },
    'attributes: is missing; "atributes" looks like a misspelling of it',
  ],
  [
    seoFile,
    { collectionName: 'x', atributes: {} },
    'attributes: is missing; "atributes" looks like a misspelling of it',
  ],
  [
    articleFile,
    { info: { singularName: 'a', pluralName: 'b', dispayName: 'c' }, attributes: {} },
    'info.displayName: is missing; "info.dispayName" looks like a misspelling of it',
  ],
]

/** The files with another value, or none, at a path of one of them. */
function changed(file: string, path: string, value: unknown): Record<string, unknown> {
  const files = sound()
  const steps = path.split('.')
  const last = steps.pop()!
  const parent = steps.reduce((node, step) => node[step] as Tree, files[file] as Tree)
  if (value === undefined) delete parent[last]
  else parent[last] = value
  return files
}

async function startOf(t: Test, files: Tree): Promise<Error> {
  const dir = await folder(t, files)
  return thrown(t, async () => {
    const kernel = await createKernel({ dir, database: { connection: { filename: ':memory:' } } })
    await kernel.close()
  })
}

t.test('the schemas are valid without the faults below', async t => {
  const dir = await folder(t, sound())
  const kernel = await boot(t, { dir, file: ':memory:' })
  t.same(
    kernel.contentTypes
      .values()
      .map(one => one.uid)
      .sort(),
    [uid('article'), uid('person'), 'shared.seo'],
  )
})

t.test('a fault in a schema is reported with its place', async t => {
  const tables = [
    [articleFile, inArticle],
    [personFile, inPerson],
    [seoFile, inSeo],
  ] as const
  for (const [file, rows] of tables) {
    for (const [path, value, words] of rows) {
      const { name, message } = await startOf(t, changed(file, path, value))
      const at = path === 'attributes.zone' ? `${path}.type` : path
      t.equal(name, 'InvalidSchemaError', path)
      t.equal(message.slice(0, `${file}: ${at}: ${words}`.length), `${file}: ${at}: ${words}`)
    }
  }
  const { message } = await startOf(t, changed(articleFile, 'attributes.zone.components.1', 'shared.se0'))
  t.equal(
    message,
    `${articleFile}: attributes.zone.components.1: unknown component "shared.se0", did you mean "shared.seo"?`,
  )
})

t.test('a file that is no schema is reported', async t => {
  for (const [file, content, words] of whole) {
    const { name, message } = await startOf(t, { ...sound(), [file]: content })
    t.equal(name, 'InvalidSchemaError', words)
    t.equal(message.slice(0, `${file}: ${words}`.length), `${file}: ${words}`)
  }
})

t.test('a fault of a schema in code is reported with its uid', async t => {
  const broken = type('tag', { label: { type: 'strnig' } })
  const error = await thrown(t, () => boot(t, { file: ':memory:', contentTypes: [broken] }))
  t.match(error.message, /^api::tag\.tag: attributes\.label\.type: .*"string"/)
})

t.test('media attributes without a plugin are loaded, are empty, and cause one warning', async t => {
  const log = notes()
  const media = {
    cover: { type: 'media', multiple: false, required: true },
    gallery: { type: 'media', multiple: true },
  }
  const kernel = await boot(t, {
    logger: log,
    contentTypes: [type('page', { title: { type: 'string' }, ...media }), type('post', media)],
    components: { 'shared.card': component('shared.card', media) },
  })
  t.equal(log.warnings.length, 1)
  t.match(log.warnings[0], /^6 attribute\(s\) are always empty, because no enabled plugin provides the type "media": /)
  const pages = repositories(kernel)('page')
  await pages.create({ data: { title: 'One', cover: 1, gallery: [1] } })
  t.match(await pages.findMany({ populate: '*' }), [{ title: 'One', cover: null, gallery: [] }])
  t.notOk('cover' in (await pages.findMany())[0]!, 'not unless populated')
  for (const filters of [{ cover: 1 }, { gallery: { name: 'x' } }]) {
    t.match(await thrown(t, () => pages.findMany({ filters })), { status: 400, name: 'ValidationError' })
  }
})

t.test('an unknown target in a known folder names the nearest type', async t => {
  const author = { type: 'relation', relation: 'manyToOne', target: 'api::person.persn' }
  const contentTypes = [type('person', {}), type('article', { author })]
  const { message } = await thrown(t, () => boot(t, { file: ':memory:', contentTypes }))
  t.match(message, /unknown content type "api::person\.persn", did you mean "api::person\.person"\?/)
})
