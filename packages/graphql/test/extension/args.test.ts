// `args`: arguments that extensions add to generated fields, for hooks of writes.

import { GraphQLInt, GraphQLString } from 'graphql'
import t from 'tap'
import { bothWays, start } from '../fixtures/extended.ts'

t.test('hooks of writes receive more arguments', t =>
  bothWays(t, async (t, way) => {
    const received: unknown[] = []
    const { send } = await start(t, {
      way,
      extend(extension, { hooks }) {
        extension.use({ args: { 'Mutation.createTag': { reason: { type: GraphQLString, description: 'Why' } } } })
        extension.use({ args: { 'Mutation.createTag': { times: { type: GraphQLInt, defaultValue: 2 } } } })
        hooks.on('graphql:write', ({ args }) => void received.push([args.reason, args.times]))
      },
    })
    const create = (more: string) => send(`mutation { createTag(data: { label: "a" }${more}) { data { id } } }`)
    t.same((await create('')).data, { createTag: { data: { id: '1' } } })
    t.same((await create(', reason: "because", times: 3')).data, { createTag: { data: { id: '2' } } })
    t.same(received, [
      [undefined, 2],
      ['because', 3],
    ])
    t.match((await create(', reason: 1')).errors, [{ message: /String cannot represent a non string value: 1/ }])
    const { data } = await send(
      '{ __type(name: "Mutation") { fields { name args { name description type { name } } } } }',
    )
    const fields: readonly { readonly name: string; readonly args: readonly unknown[] }[] = data.__type.fields
    const { args } = fields.find(one => one.name === 'createTag')!
    t.match(args.slice(-2), [
      { name: 'reason', description: 'Why', type: { name: 'String' } },
      { name: 'times', description: null, type: { name: 'Int' } },
    ])
  }),
)

t.test('a field whose resolver an extension replaces gets no argument', async t => {
  const { send } = await start(t, {
    extend: extension =>
      extension.use({
        args: { 'Mutation.createTag': { reason: { type: GraphQLString } } },
        resolvers: { Mutation: { createTag: () => ({ data: null }) } },
      }),
  })
  const answer = await send('mutation { createTag(data: {}, reason: "x") { data { id } } }')
  t.match(answer.errors, [{ message: /^Unknown argument "reason"/ }])
})

t.test('arguments that do not fit', async t => {
  const faults: [args: Record<string, unknown>, message: RegExp][] = [
    [
      { 'Mutation.createTags': {} },
      /args: Mutation\.createTags: there is no field "createTags", did you mean "createTag"/,
    ],
    [
      { 'Mutatio.createTag': {} },
      /args: Mutatio\.createTag: there is no object type "Mutatio", did you mean "Mutation"/,
    ],
    [{ 'Tag.label': {} }, /args: Tag\.label: is not a generated field of the root/],
    [{ 'Mutation.createTag': { data: { type: GraphQLString } } }, /createTag: has an argument "data" already/],
    [{ 'Mutation.createTag': { 'a b': { type: GraphQLString } } }, /args: Mutation\.createTag: .*a b/],
  ]
  for (const [args, message] of faults)
    await t.rejects(
      start(t, { extend: extension => extension.use(() => ({ args: args as never })) }),
      { code: /^PLINTH_GRAPHQL_EXTENSION$/, message },
      String(message),
    )
})
