// A front end with graphql-codegen and Apollo Client: documents are generated from the introspection of the running
// application, compiled, and used as the libraries come, with their default headers.

import { execFile } from 'node:child_process'
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { codegen } from '@graphql-codegen/core'
import { buildClientSchema, getIntrospectionQuery, type IntrospectionQuery, parse, printSchema } from 'graphql'
import t from 'tap'
import { dir, headersOf, openExample } from './fixtures/example.ts'

/** What is read of `apollo/client.ts`, whose types are those of generated code. */
interface Client {
  run(uri: string): Promise<unknown>
}

const require = createRequire(import.meta.url)
// The plugins are CommonJS modules.
const operations = require('@graphql-codegen/typescript-operations')
const documents = require('@graphql-codegen/typed-document-node')

/** Documents with their types, as the command `graphql-codegen` writes them with these plugins. */
async function generate(introspection: IntrospectionQuery, text: string): Promise<string> {
  const config = { enumsAsTypes: true, useTypeImports: true, scalars: { ID: 'string' } }
  return codegen({
    filename: 'generated.ts',
    schema: parse(printSchema(buildClientSchema(introspection))),
    documents: [{ location: 'operations.graphql', document: parse(text) }],
    config,
    plugins: [{ operations: {} }, { documents: {} }],
    pluginMap: { operations, documents },
  })
}

/** What the compiler reports of the files of a folder. */
function compile(folder: string): Promise<string> {
  const compilerOptions = { noEmit: true, lib: ['es2024', 'dom'], noUnusedLocals: false }
  const extended = `${dir}../../tsconfig.base.json`
  writeFileSync(`${folder}/tsconfig.json`, JSON.stringify({ extends: extended, compilerOptions, include: ['*.ts'] }))
  const args = [`${dir}../../node_modules/typescript/bin/tsc`, '--pretty', 'false', '-p', folder]
  return new Promise(resolve => execFile(process.execPath, args, (_, out, err) => resolve(out + err)))
}

t.test('generated documents and Apollo Client', async t => {
  const { app, close } = await openExample()
  t.teardown(close)
  const uri = `${await app.listen({ port: 0, host: '127.0.0.1' })}/graphql`
  await headersOf(app, 'authenticated', 'nell')

  const reply = await fetch(uri, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: getIntrospectionQuery() }),
  })
  const { data } = (await reply.json()) as { data: IntrospectionQuery }
  const source = `${dir}test/fixtures/apollo`
  const text = await generate(data, readFileSync(`${source}/operations.graphql`, 'utf8'))
  // Below the folder of the application, where its packages are found.
  const folder = t.testdir({ 'generated.ts': text, 'package.json': '{"type":"module"}' })
  copyFileSync(`${source}/client.ts`, `${folder}/client.ts`)

  await t.test('the generated code compiles, and so does code that uses it', async t => {
    t.equal(await compile(folder), '')
    writeFileSync(
      `${folder}/wrong.ts`,
      "import type { NewestArticlesQueryVariables } from './generated.ts'\nexport const variables: NewestArticlesQueryVariables = { limit: 'three' }\n",
    )
    t.match(
      await compile(folder),
      /wrong\.ts.*Type 'string' is not assignable to type 'number'/,
      'its types are no any',
    )
  })

  await t.test('queries, mutations and errors', async t => {
    const client = (await import(pathToFileURL(`${folder}/client.ts`).href)) as Client
    t.match(await client.run(uri), {
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
})
