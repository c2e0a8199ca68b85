/** Law: the kernel contains no name of a plugin. The names are taken from the plugins themselves. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import apiTokens from '@plinth/api-tokens'
import customFields from '@plinth/custom-fields'
import draftPublish from '@plinth/draft-publish'
import idempotency from '@plinth/idempotency'
import i18n from '@plinth/i18n'
import { createKernel, type Kernel } from '@plinth/kernel'
import t, { type Test } from 'tap'
import { freshDatabase } from '@plinth/test-tools/databases'

const kernelFolder = join(import.meta.dirname, '../../packages/kernel')

const plugins = {
  'draft-publish': { plugin: draftPublish },
  i18n: { plugin: i18n },
  'api-tokens': { plugin: apiTokens, config: { salt: 'x' } },
  idempotency: { plugin: idempotency },
  'custom-fields': { plugin: customFields },
}

/** Words of v4's plugins that Plinth does not have yet: users-permissions, upload and graphql. */
const planned = ['jwt', 'graphql', 'up_', 'upload_', 'media']

/** Words that plugins and the kernel share: `findOne` is a setting of draft-publish and an action. */
const shared = ['findOne']

/**
 * v4's schema files contain `media` and are loaded without a plugin: the kernel may have the word only in its lists of
 * such types.
 */
const allowed: Readonly<Record<string, readonly string[]>> = {
  media: ['model/attribute-types.ts', 'model/input.ts'],
}

const page = {
  kind: 'collectionType',
  info: { singularName: 'page', pluralName: 'pages', displayName: 'Page' },
  options: { draftAndPublish: true },
  pluginOptions: { i18n: { localized: true } },
  attributes: { title: { type: 'string' } },
}

/** Records the names of the attribute types that plugins add. */
function watchTypes({ attributeTypes }: Kernel, words: string[]): void {
  const { add } = attributeTypes
  attributeTypes.add = (word, type) => {
    words.push(word)
    add(word, type)
  }
}

/**
 * The names of plugins, and those of their settings, parameters, type options, attribute types, attributes, hooks and
 * prefixes of tables.
 */
async function wordsOfPlugins(t: Test): Promise<string[]> {
  const words = Object.values(plugins).flatMap(({ plugin }) => {
    const { name, config, typeOptions = {}, tables = [] } = plugin.plinth
    const settings = (config as { properties?: object } | undefined)?.properties ?? {}
    return [name, ...Object.keys(settings), ...Object.keys(typeOptions), ...tables]
  })
  const database = await freshDatabase('sqlite')
  const kernel = await createKernel({
    database: database.config,
    plugins,
    contentTypes: [page],
    configure: one => watchTypes(one, words),
  })
  t.teardown(async () => {
    await kernel.close()
    await database.drop()
  })
  const { attributes } = kernel.contentTypes.require('api::page.page')
  const common = ['title', 'createdAt', 'updatedAt']
  words.push(...kernel.parameters.values().map(one => one.name))
  words.push(...[...attributes.keys()].filter(name => !common.includes(name)))
  return [...new Set([...words, ...planned])].filter(word => !shared.includes(word))
}

/** Matches a whole word, in any case; a prefix of tables also at the beginning of a longer name. */
function patternOf(word: string): RegExp {
  return new RegExp(`(?<!\\w)${word}${word.endsWith('_') ? '' : '(?!\\w)'}`, 'i')
}

t.test('the sources of the kernel contain no word of a plugin', async t => {
  t.match('a Locale', patternOf('locale'))
  t.match('|up_|', patternOf('up_'))
  t.match("'i18n_locale'", patternOf('i18n_'))
  t.notMatch('locales, toLocaleString', patternOf('locale'))
  t.notMatch('group_by', patternOf('up_'))
  const words = await wordsOfPlugins(t)
  const expected = [
    'locale',
    'publicationState',
    'draftAndPublish',
    'i18n_',
    'publishedAt',
    'localizations',
    'previewFor',
  ]
  for (const word of expected) t.ok(words.includes(word), `${word} is looked for`)
  const src = join(kernelFolder, 'src')
  const files = (await readdir(src, { recursive: true, withFileTypes: true })).filter(entry => entry.isFile())
  t.ok(files.length > 10, 'there is a kernel to look at')
  for (const { parentPath, name } of files) {
    const path = join(parentPath, name).slice(src.length + 1)
    const lines = (await readFile(join(parentPath, name), 'utf8')).split('\n')
    const wanted = words.filter(word => !(allowed[word]?.includes(path) ?? false)).map(patternOf)
    const found = lines.flatMap((line, i) =>
      wanted.some(pattern => pattern.test(line)) ? [`${path}:${i + 1}: ${line.trim()}`] : [],
    )
    t.same(found, [], path)
  }
})

t.test('nor does it depend on one', async t => {
  const text = await readFile(join(kernelFolder, 'package.json'), 'utf8')
  const { dependencies = {}, peerDependencies = {} } = JSON.parse(text)
  const names = Object.keys({ ...dependencies, ...peerDependencies })
  t.same(
    names.filter(name => name.startsWith('@plinth/') || name.startsWith('plinth-plugin-')),
    [],
  )
})
