/** The generated GraphQL schema of the recorded content model is the recorded one, whatever clients read of it. */

import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  buildASTSchema,
  buildClientSchema,
  type DocumentNode,
  type GraphQLSchema,
  getIntrospectionQuery,
  type IntrospectionQuery,
  lexicographicSortSchema,
  parse,
  printSchema,
  visit,
} from 'graphql'
import t from 'tap'
import { boot } from './boot.ts'

/** Recorded fields that must not exist: those that deviations.json lists with a reason. */
const refused = await deviating()

async function deviating(): Promise<readonly string[]> {
  const text = await readFile(join(import.meta.dirname, 'deviations.json'), 'utf8')
  const all = JSON.parse(text) as readonly { readonly suite: string; readonly step: string }[]
  return all.filter(({ suite }) => suite === 'schema.graphql').map(({ step }) => step)
}

const digest = 'd0417a2c9e748ac9bdeace2e949f07645049ad5e1101cffa2c8eba31ed3bae2d'

async function recorded(): Promise<string> {
  return readFile(join(import.meta.dirname, 'schema.graphql'), 'utf8')
}

/** The recorded schema without what is left out, and the names of what was found and left out. */
function expected(text: string): { readonly document: DocumentNode; readonly left: readonly string[] } {
  const left: string[] = []
  const leave = (name: string) => {
    left.push(name)
    return null
  }
  const document = visit(parse(text, { noLocation: true }), {
    enter(node, _key, _parent, _path, ancestors) {
      if (node.kind !== 'FieldDefinition' && node.kind !== 'InputValueDefinition') return undefined
      const owner = ancestors.at(-1) as { readonly name?: { readonly value: string } } | undefined
      const name = `${owner?.name?.value}.${node.name.value}`
      return refused.includes(name) ? leave(name) : undefined
    },
  })
  return { document, left }
}

const printed = (schema: GraphQLSchema) => printSchema(lexicographicSortSchema(schema)).split('\n')

t.test('the recorded schema is unchanged', async t => {
  t.equal(
    createHash('sha256')
      .update(await recorded())
      .digest('hex'),
    digest,
  )
})

t.test('the schema is the recorded one', async t => {
  const { inject } = await boot(t, {
    plugins: {
      rest: {},
      'draft-publish': {},
      i18n: {},
      graphql: { config: { apolloServer: { introspection: true } } },
      upload: {},
      'users-permissions': { config: { jwtSecret: 'secret-of-the-suites' } },
      'api-tokens': { config: { salt: 'salt-of-the-suites' } },
    },
  }).then(app => ({ inject: app.inject.bind(app) }))
  const query = getIntrospectionQuery({ inputValueDeprecation: true })
  const response = await inject({ method: 'POST', url: '/graphql', payload: { query } })
  const { data, errors } = response.json() as { data?: IntrospectionQuery; errors?: unknown }
  t.equal(errors, undefined, 'clients can read the schema by the usual query')
  const schema = buildClientSchema(data!)
  const { document, left } = expected(await recorded())
  t.same(printed(schema), printed(buildASTSchema(document)))
  for (const name of refused) t.ok(left.includes(name), `${name} is recorded`)
})
