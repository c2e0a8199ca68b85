// An application with everything that an archive has to keep, for the tests of export and import.

import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import apiTokens from '@plinth/api-tokens'
import customFields from '@plinth/custom-fields'
import draftPublish from '@plinth/draft-publish'
import i18n from '@plinth/i18n'
import { createKernel, type Kernel } from '@plinth/kernel'
import passwords from '@plinth/passwords'
import { type Client, freshDatabase, type TestDatabase } from '@plinth/test-tools/databases'
import upload from '@plinth/upload'
import type { Test } from 'tap'
import { plinth } from './plinth.ts'

const relation = (kind: string, target: string, more = {}) => ({ type: 'relation', relation: kind, target, ...more })

const type = (name: string, attributes: object, more = {}) => ({
  kind: 'collectionType',
  collectionName: `${name}s`,
  info: { singularName: name, pluralName: `${name}s`, displayName: name },
  ...more,
  attributes,
})

const localized = { pluginOptions: { i18n: { localized: true } } }

const schemas: Readonly<Record<string, object>> = {
  'src/api/article/content-types/article/schema.json': type(
    'article',
    {
      title: { type: 'string', ...localized },
      body: { type: 'text' },
      rating: { type: 'decimal' },
      weight: { type: 'float' },
      views: { type: 'biginteger' },
      pages: { type: 'integer' },
      isHot: { type: 'boolean' },
      day: { type: 'date' },
      at: { type: 'time' },
      moment: { type: 'datetime' },
      extra: { type: 'customField', customField: 'plugin::multi-select.multi-select' },
      secret: { type: 'password' },
      notes: { type: 'text', private: true },
      seo: { type: 'component', component: 'shared.seo' },
      quotes: { type: 'component', component: 'shared.quote', repeatable: true },
      zone: { type: 'dynamiczone', components: ['shared.seo', 'shared.quote'] },
      writers: relation('manyToMany', 'api::writer.writer', { inversedBy: 'articles' }),
      chief: relation('manyToOne', 'api::writer.writer', { useJoinTable: false }),
      cover: { type: 'media', multiple: false },
      gallery: { type: 'media', multiple: true },
    },
    { options: { draftAndPublish: true }, ...localized },
  ),
  'src/api/writer/content-types/writer/schema.json': type('writer', {
    name: { type: 'string', unique: true },
    articles: relation('manyToMany', 'api::article.article', { mappedBy: 'writers' }),
    teacher: relation('manyToOne', 'api::writer.writer', { inversedBy: 'pupils', useJoinTable: false }),
    pupils: relation('oneToMany', 'api::writer.writer', { mappedBy: 'teacher' }),
  }),
  'src/components/shared/seo.json': {
    collectionName: 'components_shared_seos',
    info: { displayName: 'seo' },
    attributes: {
      title: { type: 'customField', customField: 'plugin::color-picker.color' },
      picture: { type: 'media' },
      quote: { type: 'component', component: 'shared.quote' },
    },
  },
  'src/components/shared/quote.json': {
    collectionName: 'components_shared_quotes',
    info: { displayName: 'quote' },
    attributes: { text: { type: 'text' }, by: relation('oneToOne', 'api::writer.writer') },
  },
}

const plugins = {
  'custom-fields': customFields,
  'draft-publish': draftPublish,
  i18n,
  passwords,
  upload,
  'api-tokens': apiTokens,
}
const settings = { i18n: { enabled: true } }

/** An application and the ways into it. */
export interface Library {
  readonly dir: string
  /** The environment of its commands. */
  readonly env: Readonly<Record<string, string>>
  write(name: string, content: unknown): Promise<void>
  /** Runs a command in it. */
  run(...args: string[]): ReturnType<typeof plinth>
  /** Opens it, as a start in development does. */
  open(): Promise<Kernel>
}

/** An application on a database. */
export async function library(t: Test, database: TestDatabase): Promise<Library> {
  const dir = await realpath(await mkdtemp(join(tmpdir(), 'plinth-cli-')))
  t.teardown(() => rm(dir, { recursive: true, force: true }))
  const write = async (name: string, content: unknown) => {
    await mkdir(dirname(join(dir, name)), { recursive: true })
    await writeFile(join(dir, name), typeof content === 'string' ? content : JSON.stringify(content))
  }
  await write('config/plugins.json', Object.fromEntries(Object.keys(plugins).map(name => [name, true])))
  for (const [name, schema] of Object.entries(schemas)) await write(name, schema)
  await write('.env', 'API_TOKEN_SALT=a-salt-for-tests-of-archives-0123456789\n')
  const env = { ...database.env, NODE_ENV: 'test', API_TOKEN_SALT: 'a-salt-for-tests-of-archives-0123456789' }
  const enabled = Object.fromEntries(
    Object.entries(plugins).map(([name, plugin]) => [name, { ...(settings as Record<string, object>)[name], plugin }]),
  )
  return {
    dir,
    env,
    write,
    run: (...args) => plinth([...args, '--dir', dir], env, dir),
    open: () => createKernel({ dir, database: database.config, plugins: enabled }),
  }
}

/** Fills it with entries of all kinds. */
export async function fill(kernel: Kernel): Promise<void> {
  const writers = kernel.query('api::writer.writer')
  for (const name of ['Zoë', 'Ann', 'Bo']) await writers.create({ data: { name } })
  // The ids of links and entries differ, and one refers to a later one.
  await writers.update(1, { data: { teacher: 3 } })
  await writers.delete(2)
  await kernel
    .plugin('upload')
    .service('upload')
    .upload({
      files: [
        { name: 'a.txt', content: 'first file' },
        { name: 'b.txt', content: 'second file' },
      ],
    })
  await kernel.query('plugin::i18n.locale').create({ data: { code: 'fr', name: 'French' } })
  const articles = kernel.query('api::article.article')
  const whole = {
    title: 'Émile "1"\n',
    body: 'long '.repeat(200),
    rating: 1.25,
    weight: 0.1,
    views: '9007199254740993',
    pages: -3,
    isHot: false,
    day: '2024-02-29',
    at: '10:20:30.400',
    moment: '2024-02-29T10:20:30.456Z',
    extra: { b: [1, null, 'ü'], a: {} },
    secret: 'a password',
    notes: 'private',
    seo: { title: 'seo', picture: 2, quote: { text: 'inner', by: 3 } },
    quotes: [{ text: 'one' }, { text: 'two', by: 1 }],
    zone: [
      { __component: 'shared.quote', text: 'z1' },
      { __component: 'shared.seo', title: 'z2', picture: 1 },
    ],
    writers: [3, 1],
    chief: 3,
    cover: 1,
    gallery: [2, 1],
  }
  await articles.create({ data: { ...whole, publishedAt: null } })
  await articles.create({
    data: { ...whole, title: 'Published', isHot: true, at: '10:30:00.000', publishedAt: '2024-01-02T03:04:05.006Z' },
  })
  await articles.create({ data: { title: 'Français', locale: 'fr', localizations: [2] } })
}

/** An application on a fresh database of this kind. */
export async function freshLibrary(t: Test, client: Client): Promise<Library> {
  const database = await freshDatabase(client)
  t.teardown(() => database.drop())
  return library(t, database)
}

/** The same, with entries and files. */
export async function filledLibrary(t: Test, client: Client): Promise<Library> {
  const app = await freshLibrary(t, client)
  const kernel = await app.open()
  await fill(kernel)
  await kernel.close()
  return app
}
