// `plinth generate`: writes the files of a new content type, component or plugin, after the kernel has accepted it.

import { existsSync, readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, posix } from 'node:path'
import { defineCommand } from '#citty'
import { Failure } from './failure.ts'
import { argumentOrAnswer } from './generation/ask.ts'
import { areLocalized, attributeHelp, attributesOf } from './generation/attributes.ts'
import { checkFree, jsonText, writeNew } from './generation/files.ts'
import { checkWith, readApplication } from './generation/model-check.ts'
import { checkName, displayNameOf, pluralOf, tableOf } from './generation/names.ts'
import { addOtherSide, otherSidesOf, withOtherSides } from './generation/other-side.ts'
import { pluginKey, pluginTestText, pluginText } from './generation/plugin-text.ts'
import { rightsText } from './generation/rights.ts'
import { schemaText } from './generation/schema-text.ts'
import { nearestOf } from './nearest.ts'
import { dirOption, folderOf } from './open.ts'
import { hasServer } from './server-package.ts'
import { schemaFiles } from './types-file.ts'
import { hasTypes } from './types-package.ts'
import { withExamples } from './usage.ts'

const word = (description: string) => ({ type: 'positional', description, required: false }) as const
const attributes = word(attributeHelp)
const typeArgs = {
  name: word('the singular name, in kebab-case'),
  attributes,
  dir: dirOption,
  plural: { type: 'string', description: 'the plural name, if it is irregular', valueHint: 'name' },
  single: { type: 'boolean', description: 'a type with one entry' },
  drafts: { type: 'boolean', description: 'entries may be drafts' },
  localized: {
    type: 'boolean',
    description: 'entries have translations; :localized behind an attribute means it, too',
  },
  ts: { type: 'boolean', description: 'schema.ts with defineContentType, whose options the compiler checks' },
} as const

const api = withExamples(
  defineCommand({
    meta: { name: 'api', description: 'a new API in src/api with a content type of the same name' },
    args: typeArgs,
    async run({ args }) {
      const dir = folderOf(args.dir)
      const name = await nameOf('API', args.name, 'api')
      checkFree(dir, `src/api/${name}`)
      await writeType({ ...args, dir, api: name, name, words: args._.slice(1) })
    },
  }),
  [
    'plinth generate api article title:string:required text:richtext',
    'plinth generate api book title:string writer:manyToOne=api::writer.writer --drafts',
    'plinth generate api homepage headline:string:localized --single',
    'plinth generate api album photos:medias=images band:manyToOne=api::band.band/albums  # with both sides',
    'plinth generate api review stars:integer --ts',
  ],
)

const contentType = withExamples(
  defineCommand({
    meta: { name: 'content-type', description: 'a new content type in an API that exists' },
    args: { ...typeArgs, api: { type: 'string', description: 'the API, a folder in src/api', valueHint: 'name' } },
    async run({ args }) {
      const dir = folderOf(args.dir)
      const name = await nameOf('content type', args.name, 'content-type')
      const apis = foldersIn(join(dir, 'src/api'))
      const hint = `\`plinth generate api ${name}\` makes a new one`
      const api = await argumentOrAnswer(args.api, 'In which API?', `which API? Add --api <name>; ${hint}`)
      if (!apis.includes(api))
        throw new Failure(apis.length === 0 ? `there is no API; ${hint}` : `${nearestOf('API', api, apis)} (${hint})`)
      await writeType({ ...args, dir, api, name, words: args._.slice(1) })
    },
  }),
  ['plinth generate content-type review --api book stars:integer text:text'],
)

const component = withExamples(
  defineCommand({
    meta: { name: 'component', description: 'a new component in src/components' },
    args: { name: word('category.name, both in kebab-case'), attributes, dir: dirOption },
    async run({ args }) {
      const dir = folderOf(args.dir)
      const uid = await argumentOrAnswer(
        args.name,
        'Its category and name (shared.seo)?',
        'which component? shared.seo, for example',
      )
      const [category = '', name, ...more] = uid.split('.')
      if (name === undefined || more.length > 0)
        throw new Failure(
          `the name "${uid}" of a component must be <category>.<name>, such as "shared.${category || 'seo'}"`,
        )
      checkName('the category', category)
      checkName('the name', name)
      const path = `src/components/${category}/${name}.json`
      const schema = {
        ...editorSchema(path, schemaFiles.component),
        collectionName: `components_${tableOf(category)}_${tableOf(pluralOf(name))}`,
        info: { displayName: displayNameOf(name) },
        attributes: attributesOf(args._.slice(1)),
      }
      if (areLocalized(schema.attributes) || otherSidesOf(uid, schema.attributes).length > 0)
        throw new Failure('attributes of components are neither localized nor the other side of a relation')
      checkFree(dir, path)
      await checkWith(dir, { uid, schema, isComponent: true })
      await writeNew(dir, path, jsonText(schema))
    },
  }),
  ['plinth generate component shared.seo title:string:required description:text'],
)

const plugin = withExamples(
  defineCommand({
    meta: { name: 'plugin', description: 'a new plugin of the application in src/plugins, with a test' },
    args: {
      name: word('its name, in kebab-case'),
      dir: dirOption,
      js: { type: 'boolean', description: 'JavaScript, also if there is a tsconfig.json' },
    },
    async run({ args }) {
      const dir = folderOf(args.dir)
      const name = await nameOf('plugin', args.name, 'plugin')
      checkFree(dir, `src/plugins/${name}`)
      checkNotInstalled(dir, name)
      const isTs = !args.js && existsSync(join(dir, 'tsconfig.json'))
      const extension = isTs ? 'ts' : 'mjs'
      const path = `src/plugins/${name}/index.${extension}`
      await writeNew(dir, path, pluginText(name, hasServer()))
      console.error(`\nAdd it to config/plugins:\n\n  ${pluginKey(name)}: { resolve: './${path}' },\n`)
      // The test asks the server for the route.
      if (!hasServer()) return
      const test = `src/plugins/${name}/index.test.${extension}`
      await writeNew(dir, test, pluginTestText(name, `index.${extension}`))
      console.error(`\nIts test needs the package @plinth/testing. Run it:\n\n  node --test ${test}\n`)
    },
  }),
  ['plinth generate plugin tags', 'plinth generate plugin tags --js'],
)

export const generate = withExamples(
  defineCommand({
    meta: {
      name: 'generate',
      description:
        'write a new content type, component or plugin; changes a file only for the other side of a relation',
    },
    subCommands: { api, 'content-type': contentType, component, plugin },
  }),
  ['plinth generate api book title:string:required', 'plinth generate component shared.seo title:string'],
)

async function nameOf(what: string, name: string | undefined, command: string): Promise<string> {
  const missingMessage = `the ${what} needs a name: plinth generate ${command} <name>`
  const chosenName = await argumentOrAnswer(name, `The name of the ${what}?`, missingMessage)
  checkName(`the name of the ${what}`, chosenName)
  return chosenName
}

/** Throws Failure for the name of an installed plugin: in config/plugins, the name alone would mean that one. */
function checkNotInstalled(dir: string, name: string): void {
  const { resolve } = createRequire(join(dir, 'package.json'))
  const isInstalled = (packageName: string): boolean => {
    try {
      resolve(`${packageName}/package.json`)
      return true
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === 'ERR_PACKAGE_PATH_NOT_EXPORTED'
    }
  }
  const installedPackage = [`@plinth/${name}`, `plinth-plugin-${name}`].find(isInstalled)
  if (installedPackage !== undefined)
    throw new Failure(
      `the plugin "${name}" is installed already, as the package ${installedPackage}; choose another name`,
    )
}

interface TypeWords {
  readonly dir: string
  readonly api: string
  readonly name: string
  /** The words of its attributes. */
  readonly words: readonly string[]
  readonly plural?: string | undefined
  readonly single?: boolean | undefined
  readonly drafts?: boolean | undefined
  readonly localized?: boolean | undefined
  readonly ts?: boolean | undefined
}

async function writeType({ dir, api, name, words, plural = pluralOf(name), ...flags }: TypeWords): Promise<void> {
  checkName('the plural name', plural)
  const folder = `src/api/${api}/content-types/${name}`
  const paths = { json: `${folder}/schema.json`, ts: `${folder}/schema.ts` }
  const uid = `api::${api}.${name}`
  const sent = attributesOf(words)
  const both = otherSidesOf(uid, sent)
  // A relation of the type to itself has both sides in it.
  const inside = both.filter(one => one.target === uid)
  for (const one of inside)
    if (Object.hasOwn(sent, one.name)) throw new Failure(`the attribute "${one.name}" is named twice`)
  const own = { ...sent, ...Object.fromEntries(inside.map(one => [one.name, one.attribute])) }
  const schema = {
    kind: flags.single ? 'singleType' : 'collectionType',
    collectionName: tableOf(plural),
    info: { singularName: name, pluralName: plural, displayName: displayNameOf(name) },
    ...(flags.drafts && { options: { draftAndPublish: true } }),
    ...((flags.localized || areLocalized(own)) && { pluginOptions: { i18n: { localized: true } } }),
    attributes: own,
  }
  for (const path of Object.values(paths)) checkFree(dir, path)
  const application = await readApplication(dir)
  const sides = both.filter(one => one.target !== uid)
  await checkWith(dir, { uid, schema, isComponent: false }, withOtherSides(sides, application.types))
  if (flags.ts) await writeNew(dir, paths.ts, schemaText(schema))
  else await writeNew(dir, paths.json, jsonText({ ...editorSchema(paths.json, schemaFiles.contentType), ...schema }))
  for (const side of sides) await addOtherSide(dir, side, application.types.find(one => one.uid === side.target)!)
  console.error(rightsText({ uid, isSingle: flags.single === true }, application.plugins))
}

/** The key with which editors find the JSON schema of a file, which is written only with @plinth/types. */
function editorSchema(path: string, schemaFile: string): { readonly $schema?: string } {
  return hasTypes() ? { $schema: posix.relative(posix.dirname(path), schemaFile) } : {}
}

function foldersIn(path: string): string[] {
  if (!existsSync(path)) return []
  const entries = readdirSync(path, { withFileTypes: true })
  return entries.filter(one => one.isDirectory()).map(one => one.name)
}
