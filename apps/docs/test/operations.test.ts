// The operations of GraphQL in the documents fit the schema of the magazine with subscriptions. Those of pages that are run
// are executed by pages.test.ts; the chapters of the dialect show parts of a schema, which are shortened.

import subscriptions from '@plinth/graphql-subscriptions'
import { type Placed, placed, readDocuments } from '@plinth/test-tools/documents'
import { openExample } from 'example/testing'
import { buildClientSchema, type GraphQLSchema, getIntrospectionQuery, Kind, parse, validate } from 'graphql'
import t from 'tap'

const documents = await readDocuments()

/** Pages with types of their own, with the reason why their operations are not validated here. */
const excluded: Readonly<Record<string, string>> = {
  'docs/guides/rating-plugin.md': 'stars of articles; release/test/built.test.ts runs the tests of the guide',
  'docs/start.md': 'books; pages.test.ts executes it',
}

/** The operations in the texts of a program: `query: '…'`. */
const within = ({ code }: Placed): string[] =>
  [...code.matchAll(/\b(?:query|mutation|subscription): (['`])((?:\{|query|mutation|subscription)[^'`$]*\})\1/g)].map(
    ([, , text]) => text!,
  )

/** The texts of the operations of an example, each with its place. */
function operationsIn(example: Placed): (readonly [text: string, place: string])[] {
  const isProgram = ['ts', 'js'].includes(example.language)
  const texts = example.language === 'graphql' ? [example.code] : isProgram ? within(example) : []
  return texts.map(text => [text, example.place] as const)
}

const operationsOf = (document: string) => placed(document, documents.get(document)!).flatMap(operationsIn)
const operations = [...documents.keys()].filter(one => !Object.hasOwn(excluded, one)).flatMap(operationsOf)

/** Returns what is wrong with the operations of a text, each taken as a document of its own. */
function faultsOf(schema: GraphQLSchema, text: string): string[] {
  const { definitions } = parse(text)
  const others = definitions.filter(({ kind }) => kind !== Kind.OPERATION_DEFINITION)
  return definitions
    .filter(one => !others.includes(one))
    .flatMap(one => validate(schema, { kind: Kind.DOCUMENT, definitions: [one, ...others] }))
    .map(({ message }) => message)
}

t.test('operations', async t => {
  const plugins = { 'graphql-subscriptions': { plugin: subscriptions } }
  const { app, close } = await openExample({ plugins })
  t.teardown(close)
  const payload = { query: getIntrospectionQuery() }
  const answer = await app.inject({ method: 'POST', url: '/graphql', payload })
  const schema = buildClientSchema(answer.json().data)
  t.ok(operations.length > 14, `${operations.length} operations`)
  for (const [text, place] of operations) t.same(faultsOf(schema, text), [], place)
  for (const document of Object.keys(excluded)) t.ok(operationsOf(document).length > 0, document)

  const mistakes = ['{ article(id: 1) { data { versoin } } }', 'mutation { createTag(daat: {}) { data { id } } }']
  for (const text of mistakes) t.not(faultsOf(schema, text).length, 0, 'a mistake is seen')
})
