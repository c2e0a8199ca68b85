// Descriptions of schema files stand in the schema, the types of the application come first, and the schema can be
// printed.

import { type CommandTools, definePlugin } from '@plinth/kernel'
import { isInputObjectType, isObjectType, buildSchema as parseSchema } from 'graphql'
import t from 'tap'
import graphql from '../src/index.ts'
import { contentTypes, serve } from './fixtures/served.ts'

const described = [
  {
    ...contentTypes[0],
    info: { ...contentTypes[0].info, description: 'A piece of the magazine' },
    attributes: {
      ...contentTypes[0].attributes,
      title: { type: 'string', description: 'The words above the text' },
      tags: { ...contentTypes[0].attributes.tags, description: 'What it is about' },
    },
  },
  contentTypes[1],
]

/** A plugin with a content type, which is registered before those of the application. */
const stamps = definePlugin({
  name: 'stamps',
  register({ kernel }) {
    const info = { singularName: 'stamp', pluralName: 'stamps', displayName: 'Stamp' }
    kernel.contentTypes.add(
      { kind: 'collectionType', collectionName: 'stamps', info, attributes: { ink: { type: 'string' } } },
      { uid: 'plugin::stamps.stamp' },
    )
  },
})

t.test('descriptions, in outputs and inputs', async t => {
  const { ask } = await serve(t, { contentTypes: described as never })
  const { body } = await ask(`{
    article: __type(name: "Article") { description fields { name description } }
    input: __type(name: "ArticleInput") { inputFields { name description } }
    tag: __type(name: "Tag") { description }
  }`)
  const of = (list: unknown, name: string) =>
    (list as { name: string; description: string | null }[]).find(one => one.name === name)?.description
  const { article, input, tag } = body.data as Record<string, Record<string, unknown>>
  t.equal(article!.description, 'A piece of the magazine')
  t.equal(of(article!.fields, 'title'), 'The words above the text')
  t.equal(of(article!.fields, 'tags'), 'What it is about')
  t.equal(of(article!.fields, 'body'), null)
  t.equal(of(input!.inputFields, 'title'), 'The words above the text')
  t.equal(tag!.description, null)
})

t.test('the types of the application come first', async t => {
  const { ask } = await serve(t, { extra: { stamps: { plugin: stamps } } })
  const { body } = await ask('{ __schema { queryType { fields { name } } } }')
  const { queryType } = (body.data as { __schema: { queryType: { fields: { name: string }[] } } }).__schema
  t.same(
    queryType.fields.map(({ name }) => name),
    ['article', 'articles', 'tag', 'tags', 'stampsStamp', 'stampsStamps'],
  )
})

t.test('the command prints what the endpoint has', async t => {
  const { kernel } = await serve(t, { config: { apolloServer: { introspection: true } } })
  const lines: string[] = []
  const { schema } = graphql.plinth.commands!.graphql!.commands as Record<
    string,
    { run(tools: CommandTools): Promise<void> }
  >
  const print = (line: string) => void lines.push(line)
  await schema!.run({ kernel, config: { shadowCRUD: true }, words: [], options: {}, print, remark: () => {} })
  const printed = parseSchema(lines.join('\n'))
  t.ok(isObjectType(printed.getType('Article')))
  t.ok(isInputObjectType(printed.getType('ArticleInput')))
  t.ok('createArticle' in printed.getMutationType()!.getFields())
  t.equal(printed.getSubscriptionType(), undefined)
})
