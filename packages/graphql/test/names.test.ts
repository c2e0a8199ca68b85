// Names that REST takes and GraphQL cannot have: values of enumerations get another name, everything else is an error of the
// start with the schema file and the place in it.

import { definePlugin } from '@plinth/kernel'
import t from 'tap'
import { start } from './fixtures/boot.ts'

type Attributes = Readonly<Record<string, Readonly<Record<string, unknown>>>>

const type = (name: string, attributes: Attributes = { name: { type: 'string' } }) => ({
  uid: `api::${name}.${name}`,
  collectionName: `${name.replaceAll('-', '_')}s`,
  info: { singularName: name, pluralName: `${name}-list`, displayName: name },
  attributes,
})
const database = { client: 'sqlite', connection: { filename: ':memory:' } }
const model = (contentTypes: readonly unknown[], components = {}) => ({ contentTypes, components, database })

t.test('values of enumerations that are words of GraphQL', async t => {
  const values = ['true', 'false ', 'null', ' True', 'other']
  const { ask, app, kernel } = await start(t, model([type('answer', { value: { type: 'enumeration', enum: values } })]))
  const { body: schema } = await ask('{ __type(name: "ENUM_ANSWER_VALUE") { enumValues { name } } }')
  const names = (schema.data.__type.enumValues as { name: string }[]).map(one => one.name)
  t.same(names, ['true_', 'false_', 'null_', 'True', 'other'])
  for (const [i, name] of names.entries()) {
    const made = await ask(`mutation { createAnswer(data: { value: ${name} }) { data { attributes { value } } } }`)
    t.same(made.body, { data: { createAnswer: { data: { attributes: { value: name } } } } })
    t.match(await kernel.query('api::answer.answer').findOne(i + 1), { value: values[i] }, 'stored as in the schema')
    const [value] = [values[i]!]
    const found = await ask(
      'query ($value: String) { answerList(filters: { value: { eq: $value } }) { data { id } } }',
      { value },
    )
    t.same(found.body, { data: { answerList: { data: [{ id: String(i + 1) }] } } })
  }
  const rest = await app.inject({ method: 'POST', url: '/api/answer-list', payload: { data: { value: 'true' } } })
  t.match(rest.json(), { data: { attributes: { value: 'true' } } })
})

const wide = {
  a: { type: 'string' },
  b: { type: 'float' },
  c: { type: 'datetime' },
  d: { type: 'json' },
  e: { type: 'boolean' },
}

for (const [name, graphqlName] of [
  ['query', 'Query'],
  ['mutation', 'Mutation'],
  ['subscription', 'Subscription'],
  ['string', 'String'],
  ['int', 'Int'],
  ['boolean', 'Boolean'],
  ['float', 'Float'],
  ['json', 'JSON'],
  ['pagination', 'Pagination'],
  ['date-time', 'DateTime'],
  ['response-collection-meta', 'ResponseCollectionMeta'],
  ['string-filter-input', 'StringFilterInput'],
  ['other-entity', 'OtherEntity'],
  ['other-filters-input', 'OtherFiltersInput'],
] as const) {
  t.test(`a content type with the name ${name}`, async t => {
    const booting = start(t, model([type(name, wide), type('other', wide)]))
    // Other letters make another name: the scalar is JSON, and the type would be Json.
    if (graphqlName === 'JSON') {
      await booting
      return
    }
    await t.rejects(booting, {
      code: 'PLINTH_SCHEMA_INVALID',
      message: new RegExp(`api::${name}\\.${name}: info\\.singularName: it needs the GraphQL type "${graphqlName}"`),
    })
  })
}

t.test('a content type with the name error', async t => {
  await start(t, model([type('error', wide)]))
  const part = { collectionName: 'components_parts', attributes: { a: { type: 'string' } } }
  const zoned = type('thing', { parts: { type: 'dynamiczone', components: ['shared.part'] } })
  await t.rejects(start(t, model([type('error', wide), zoned], { 'shared.part': part })), {
    message: /api::error\.error: info\.singularName: it needs the GraphQL type "Error", which the schema has already/,
  })
})

t.test('enumerations and components whose types have the names of others', async t => {
  const kind = (enumName: string) => type('thing', { kind: { type: 'enumeration', enum: ['a'], enumName } })
  await t.rejects(start(t, model([kind('Thing')])), {
    message: /api::thing\.thing: .*it needs the GraphQL type "Thing"/,
  })
  await t.rejects(start(t, model([kind('two words')])), {
    message: /api::thing\.thing: attributes\.kind\.enumName: GraphQL allows no type with the name "two words"/,
  })
  const seo = { collectionName: 'components_seos', globalId: 'Thing', attributes: { a: { type: 'string' } } }
  const thing = type('thing', { seo: { type: 'component', component: 'shared.seo' } })
  await t.rejects(start(t, model([thing], { 'shared.seo': seo })), {
    message: /: it needs the GraphQL type "Thing\w*", which .* needs too/,
  })
})

for (const attribute of ['a-b', '__typename', '__x'])
  t.test(`an attribute ${attribute}`, async t => {
    const contentTypes = [type('thing', { [attribute]: { type: 'string', columnName: 'col' } })]
    await t.rejects(start(t, model(contentTypes)), {
      code: 'PLINTH_SCHEMA_INVALID',
      message: new RegExp(`api::thing\\.thing: attributes\\.${attribute}: `),
    })
  })

t.test('a type that GraphQL leaves out may have any name', async t => {
  const contentTypes = [type('query', { 'a-b': { type: 'string', columnName: 'col' } }), type('thing')]
  const plugin = definePlugin({
    name: 'left-out',
    after: ['graphql'],
    register: ({ kernel }) =>
      void kernel.services.find('graphql', 'extension')?.shadowCRUD('api::query.query').disable(),
  })
  const { app } = await start(t, { ...model(contentTypes), plugins: { 'left-out': { plugin } } })
  const made = await app.inject({ method: 'POST', url: '/api/query-list', payload: { data: { 'a-b': 'x' } } })
  t.match(made.json(), { data: { attributes: { 'a-b': 'x' } } })
})
