// Property: random operations are answered alike without execution and by execution, for callers who may see everything and
// for those who may not.

import draftPublish from '@plinth/draft-publish'
import { type Access, definePlugin, type Kernel, systemAccess } from '@plinth/kernel'
import { casesOf } from '@plinth/test-tools/cases'
import { buildClientSchema, GraphQLError, getIntrospectionQuery } from 'graphql'
import t from 'tap'
import { mountGraphql } from '../../packages/graphql/src/mount.ts'
import { fill, type Started, start } from '../../packages/graphql/test/fixtures/boot.ts'
import { OperationMaker, randomOf } from '../../packages/graphql/test/fixtures/random-operations.ts'
import { defaultSettings } from '../../packages/graphql/test/fixtures/settings.ts'

const seed = Number(process.env.SEED ?? 7)
const count = casesOf(1000)

/** Callers by the value of a header: what they may not find. */
const hidden: Readonly<Record<string, readonly string[]>> = { all: [], some: ['api::person.person', 'api::tag.tag'] }

type Entry = { readonly id: number; readonly text?: string }

const often = ({ id }: Entry) => id % 7 !== 0

/** Fields of entries that code resolves, some of them with errors, and fields with policies. */
const ownCode = definePlugin({
  name: 'own-code',
  dependencies: ['graphql'],
  register({ kernel }) {
    kernel
      .plugin('graphql')
      .service('extension')
      .use({
        typeDefs: `
          extend type Article { ownText(suffix: String = "!"): String, ownCount: Int!, ownList: [Int!] }
          extend type TagEntity { ownLater: Int! }
          extend type Tag { ownPlain: Boolean }
          extend type ComponentASeo { ownText: String }
        `,
        resolvers: {
          Article: {
            ownText: ({ id }: Entry, { suffix }: { suffix: string }) => `${id}${suffix}`,
            ownCount: (entry: Entry) => (often(entry) ? entry.id : null),
            ownList: (entry: Entry) => [
              entry.id,
              often(entry) ? Promise.resolve(1) : Promise.reject(new GraphQLError('no')),
            ],
          },
          TagEntity: {
            async ownLater(entry: Entry) {
              if (!often(entry)) throw new GraphQLError('not today')
              return entry.id
            },
          },
          ComponentASeo: { ownText: ({ text }: Entry) => text?.toUpperCase() },
        },
        resolversConfig: {
          'Query.tags': { policies: [async () => true] },
          'Query.person': { policies: [context => (context.args as { id: string }).id !== '2'] },
        },
      })
  },
})

function configure(kernel: Kernel): void {
  kernel.auth.use({
    name: 'test',
    authenticate({ headers }): Access {
      const key = String(headers['x-caller'] ?? 'all')
      const isHidden = (scope: string) => hidden[key]!.some(uid => scope === `${uid}.find`)
      return { ...systemAccess, key, can: scope => !isHidden(scope) }
    },
  })
  kernel.hooks.on('prePlan', (draft, access) => {
    const { type, via } = draft
    if (via !== 'root' && type.kind !== 'component' && !access.can(`${type.uid}.find`)) draft.refuse()
    if (access.key === 'some' && type.uid === 'api::article.article') draft.hide('body')
  })
  kernel.hooks.on('onMount', async scope => {
    const extension = kernel.plugin('graphql').service('extension')
    const settings = { ...defaultSettings, endpoint: '/executed' }
    await mountGraphql(scope, { kernel, settings, extension, isExecuted: true })
  })
}

t.test(`security.md row 77: random operations have one answer, SEED=${seed}`, async t => {
  const started = await start(t, {
    configure,
    maxRows: 1e12,
    plugins: { 'draft-publish': { plugin: draftPublish }, 'own-code': { plugin: ownCode } },
  })
  await fill(started)
  await addDrafts(started)
  const { body } = await started.ask(getIntrospectionQuery())
  const maker = new OperationMaker(buildClientSchema(body.data), randomOf(seed), [
    'title',
    'body',
    'author',
    'related',
    'publicationState',
  ])
  const seen = { data: 0, missing: 0, forbidden: 0, hidden: 0, several: 0, nested: 0 }
  for (let i = 0; i < count; i++) {
    const operation = maker.next()
    for (const caller of Object.keys(hidden)) {
      const answer = await answersOf(started, operation, caller)
      if (answer.texts.some(text => text !== answer.texts[0])) {
        t.fail('the ways differ', { seed, i, caller, ...operation, ...answer })
        return
      }
      if (answer.status !== 200) return t.fail(JSON.stringify({ i, caller, operation, text: answer.texts[0] }))
      const [text] = answer.texts as [string]
      const { errors = [] } = JSON.parse(text) as { readonly errors?: readonly { readonly message: string }[] }
      if (/"id":"/.test(text)) seen.data++
      if (errors.some(one => one.message.startsWith('Cannot return null for non-nullable'))) seen.missing++
      if (errors.some(one => one.message === 'Forbidden access')) seen.forbidden++
      if (errors.length > 0 && /"body":null/.test(text)) seen.hidden++
      if (errors.length > 1) seen.several++
      if (errors.length > 0 && /"id":"/.test(text)) seen.nested++
    }
  }
  t.comment(JSON.stringify(seen))
  t.ok(seen.data > count, 'most answers have entries')
  for (const [kind, times] of Object.entries(seen)) t.ok(times > count / 20, `${kind}: ${times}`)
})

/** Drafts without the title that published articles need, which others are related to. */
async function addDrafts({ of }: Started): Promise<void> {
  for (let i = 1; i <= 12; i++) {
    const related = Array.from({ length: i % 4 }, (_, at) => i + at)
    await of('article').create({ data: { title: null, count: i, author: (i % 3) + 1, related, publishedAt: null } })
  }
  for (let i = 1; i <= 16; i += 3) await of('article').update(i, { data: { related: { connect: [17, 18 + (i % 5)] } } })
}

/** The answers of both ways; each operation is sent twice, because what is kept of it answers the second time. */
async function answersOf({ send }: Started, operation: object, caller: string) {
  const texts: string[] = []
  let status = 200
  for (const url of ['/graphql', '/graphql', '/executed', '/executed']) {
    const answer = await send(url, operation, { 'x-caller': caller })
    texts.push(answer.text)
    if (answer.status !== 200) status = answer.status
  }
  return { texts, status }
}
