// A front end with graphql-codegen and Apollo Client: documents are generated from the printed schema of the example,
// compiled, and used as the libraries come, with their default headers.

import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { codegen } from '@graphql-codegen/core'
import { tokensOf } from '@plinth/api-tokens'
import { run } from '@plinth/cli'
import { runHere } from '@plinth/test-tools/command'
import { dir, headersOf, openExample } from 'example/testing'
import { buildSchema, parse } from 'graphql'
import t from 'tap'
import { compile } from './fixtures/compile.ts'

/** What is read of `programs/apollo.ts`, whose types are those of generated code. */
interface Client {
  asUser(uri: string): Promise<unknown>
  withToken(uri: string, key: string): Promise<unknown>
}

const programs = join(import.meta.dirname, 'programs')

// A CommonJS module.
const { preset } = createRequire(import.meta.url)('@graphql-codegen/client-preset')

/** Writes the documents with their types into a folder, as the command `graphql-codegen` does with `preset: 'client'`. */
async function generate(sdl: string, folder: string): Promise<void> {
  const text = readFileSync(join(programs, 'apollo.graphql'), 'utf8')
  const files = await preset.buildGeneratesSection({
    baseOutputDir: `${folder}/gql/`,
    schema: parse(sdl),
    schemaAst: buildSchema(sdl),
    documents: [{ location: 'operations.graphql', document: parse(text), rawSDL: text }],
    config: { useTypeImports: true, importExtension: '.ts', scalars: { ID: 'string' } },
    presetConfig: {},
    plugins: [],
    pluginMap: {},
  })
  mkdirSync(`${folder}/gql`)
  for (const file of files) writeFileSync(file.filename, await codegen(file))
}

t.test('generated documents and Apollo Client', async t => {
  const { app, close } = await openExample()
  t.teardown(close)
  const uri = `${await app.listen({ port: 0, host: '127.0.0.1' })}/graphql`
  await headersOf(app, 'authenticated', 'nell')
  const { out: sdl } = await runHere(run, ['graphql', 'schema', '--dir', dir])
  // Below the folder of this package, where its packages are found.
  const folder = t.testdir({ 'package.json': '{"type":"module"}' })
  await generate(sdl, folder)
  copyFileSync(`${programs}/apollo.ts`, `${folder}/client.ts`)

  await t.test('the generated code compiles, and so does code that uses it', async t => {
    t.equal(await compile(folder), '')
    writeFileSync(
      `${folder}/wrong.ts`,
      "import type { NewestArticlesQueryVariables } from './gql/graphql.ts'\nexport const variables: NewestArticlesQueryVariables = { limit: 'three' }\n",
    )
    t.match(
      await compile(folder),
      /wrong\.ts.*Type 'string' is not assignable to type 'number'/,
      'its types are no any',
    )
  })

  const client = (await import(pathToFileURL(`${folder}/client.ts`).href)) as Client
  await t.test('queries, mutations and errors, logged in', async t => {
    t.match(await client.asUser(uri), {
      titles: [String, String, String],
      authors: [String, String, String],
      total: Number,
      refused: [['Invalid identifier or password', 'BAD_USER_INPUT']],
      username: 'nell',
      comment: { __typename: 'Comment', name: 'nell', text: 'Hear, hear.', likes: 0 },
      note: { title: 'Who heard the meteor over Thornwick?', editorsNote: null },
      noteErrors: [['Forbidden access', 'FORBIDDEN']],
      cached: /ArticleEntity:\d+/,
    })
  })

  await t.test('with a token', async t => {
    const { accessKey } = await tokensOf(app.kernel).create({ name: 'apollo', type: 'full-access' })
    t.match(await client.withToken(uri, accessKey), {
      note: { title: 'Who heard the meteor over Thornwick?', editorsNote: String },
      comment: { __typename: 'Comment', name: 'Robot', text: 'By a program.', likes: 0 },
    })
  })
})
