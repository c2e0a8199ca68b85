/** Law: the kernel contains no name of a plugin. The names are taken from the plugins themselves. */

import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createKernel, type Kernel, type Plugin } from '@plinth/kernel'
import { freshDatabase } from '@plinth/test-tools/databases'
import t, { type Test } from 'tap'
import { pluginsOf } from './plugins.ts'

const packages = join(import.meta.dirname, '../../packages')
const kernelFolder = join(packages, 'kernel')

/** Settings without which a plugin does not start. */
const needed: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'api-tokens': { salt: 'x' },
  'users-permissions': { jwtSecret: 'a secret of a test, long enough' },
  metrics: { port: 0 },
}

/**
 * Words that plugins and the kernel share: the API whose dialect all of Plinth speaks, an action, types of attributes,
 * what connections to databases have, and settings of the REST API that are passed to the kernel under their own names.
 */
const shared = [
  'v4',
  'findOne',
  'rest',
  'email',
  'password',
  'defaultLimit',
  'maxLimit',
  'maxEntries',
  'maxBytes',
  'withCount',
]

/**
 * v4's schema files contain `media`, its settings and `password`, and are loaded without a plugin: the kernel may have the
 * words only in its lists of such types. Passwords in URLs are left out of logs.
 */
const allowed: Readonly<Record<string, readonly string[]>> = {
  allowedTypes: ['model/attribute-types.ts', 'model/input.ts'],
  media: ['model/attribute-types.ts', 'model/input.ts'],
  passwords: ['model/attribute-types.ts', 'redaction/text.ts'],
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
  const add = attributeTypes.add.bind(attributeTypes)
  attributeTypes.add = (word, type) => {
    words.push(word)
    add(word, type)
  }
}

/** Returns whether a word belongs to its plugin alone: `sizeLimit` does, and ordinary words such as `prefix` do not. */
const isDistinct = (word: string) => /[A-Z_-]/.test(word)

/** The words of a definition: its name, its settings, and what it reads of types, keeps secret and calls its tables. */
function wordsOf({ plinth }: Plugin): string[] {
  const { name, config, typeOptions = {}, pluginOptions = {}, tables = [], ownTables = {}, commands = {} } = plinth
  const settings = Object.keys((config as { properties?: object } | undefined)?.properties ?? {})
  const options = [...Object.keys(typeOptions), ...Object.keys(pluginOptions)]
  const names = [name, ...tables, ...Object.keys(ownTables)]
  const others = [...settings, ...options, ...Object.keys(commands), ...(plinth.secretNames ?? [])]
  return [...names, ...others.filter(isDistinct)]
}

/** The words of the definitions of all plugins, and of what they register: parameters, attribute types, attributes. */
async function wordsOfPlugins(t: Test): Promise<string[]> {
  const plugins = await pluginsOf()
  t.ok(plugins.size >= 12, `${plugins.size} plugins: ${[...plugins.keys()].join(', ')}`)
  const words = [...plugins.values()].flatMap(wordsOf)
  const database = await freshDatabase('sqlite')
  const kernel = await createKernel({
    database: database.config,
    plugins: Object.fromEntries([...plugins].map(([name, plugin]) => [name, { plugin, config: needed[name] ?? {} }])),
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
  return [...new Set(words)].filter(word => !shared.includes(word))
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
    const matches = lines.flatMap((line, i) =>
      wanted.some(pattern => pattern.test(line)) ? [`${path}:${i + 1}: ${line.trim()}`] : [],
    )
    t.same(matches, [], path)
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
