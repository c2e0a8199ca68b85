// Versions and conditions in GraphQL: the field of entities and the argument of mutations.

import { testClient } from '@plinth/test-tools/databases'
import { stopClock } from '@plinth/test-tools/stopped-clock'
import t from 'tap'
import { article, fill, start } from './fixtures/boot.ts'

const statements: string[] = []
const server = await start(t, {
  // SQLite looks for changes by other processes when some time has passed.
  configure: ({ hooks }) => hooks.on('onStatement', text => void (!text.startsWith('PRAGMA') && statements.push(text))),
})
await fill(server)
const { ask, of, versions } = server

/** Makes an article, and returns its id. */
async function make(data: object = {}): Promise<number> {
  return Number((await of('article').create({ data: { title: 'One', locale: 'en', ...data } })).id)
}

t.test('the version of entities, which are read together', async t => {
  if (testClient() === 'sqlite') stopClock(t)
  const ids = [await make({ tags: [1, 2] }), await make({ title: 'Two', tags: [1, 2] })] as const
  const [one, two] = [await versions.of(article, ids[0]), await versions.of(article, ids[1])]
  const [first, second] = [await versions.of('api::tag.tag', 1), await versions.of('api::tag.tag', 2)]
  const tags = { data: [{ version: first }, { version: second }] }
  const answer = {
    data: {
      articles: {
        data: [
          { version: one, attributes: { title: 'One', tags } },
          { version: two, attributes: { title: 'Two', tags } },
        ],
      },
    },
  }
  const query = (list: readonly number[]) =>
    `{ articles(filters: { id: { in: [${list}] } }) { data { version attributes { title tags { data { version } } } } } }`
  statements.length = 0
  t.strictSame(await ask(query(ids)), answer)
  const { length } = statements
  statements.length = 0
  await ask(query([ids[0]]))
  t.equal(statements.length, length, 'as many statements for one entry')
})

t.test('an entry that changes while an answer is read has no version', async t => {
  let isChanging = false
  const changing = await start(t, {
    configure({ hooks, query }) {
      hooks.on('onExecute', { for: ({ uid }) => uid === article, actions: ['findOne'] }, async () => {
        if (!isChanging) return
        isChanging = false
        await query(article).update(1, { data: { title: 'Two' } })
      })
    },
  })
  const created = await changing.of('article').create({ data: { title: 'One', locale: 'en' } })
  while (Date.now() === Date.parse(String(created.updatedAt)));
  const query = '{ article(id: 1) { data { version attributes { title } } } }'
  isChanging = true
  t.strictSame(await changing.ask(query), {
    data: { article: { data: { version: null, attributes: { title: 'One' } } } },
  })
  const version = await changing.versions.of(article, 1)
  t.strictSame(await changing.ask(query), { data: { article: { data: { version, attributes: { title: 'Two' } } } } })
})

t.test('mutations of the version that the client has read', async t => {
  const id = await make()
  const update = (title: string, ifMatch: unknown, as?: string) =>
    ask(
      `mutation { updateArticle(id: ${id}, data: { title: "${title}" }, ifMatch: ${JSON.stringify(ifMatch)}) { data { version attributes { title } } } }`,
      as,
    )
  const remove = (ifMatch: string, of = id) =>
    ask(`mutation { deleteArticle(id: ${of}, ifMatch: "${ifMatch}") { data { id } } }`)
  const first = await versions.of(article, id)
  const { data } = await update('Two', first)
  const second = await versions.of(article, id)
  t.strictSame(data, { updateArticle: { data: { version: second, attributes: { title: 'Two' } } } })
  const failure = (details: object) => ({
    data: { updateArticle: null },
    errors: [
      {
        message: 'The entry is not in the version that the condition of the write names',
        extensions: { error: { name: 'PreconditionFailedError', details } },
      },
    ],
  })
  t.match(await update('Three', first), failure({ version: second }))
  t.match(await update('Three', '*'), failure({ version: second }), 'a version, not a header')
  const blind = await update('Three', first, 'writer')
  t.match(blind, { errors: [{ extensions: { error: { name: 'PreconditionFailedError' } } }] })
  t.strictSame(blind.errors[0].extensions.error.details, {}, 'who may not read it does not learn its version')
  t.match(await update('Three', first, 'reader'), { errors: [{ extensions: { error: { name: 'ForbiddenError' } } }] })
  t.match(await of('article').findOne(id), { title: 'Two' })
  t.match(await update('Three', null), { data: { updateArticle: { data: { attributes: { title: 'Three' } } } } })
  t.match(await remove(second!), { errors: [{ extensions: { error: { name: 'PreconditionFailedError' } } }] })
  const missing = await remove(second!, 999)
  t.strictSame(missing, { data: { deleteArticle: { data: null } } })
  t.match(await remove((await versions.of(article, id))!), { data: { deleteArticle: { data: { id: `${id}` } } } })
  t.equal(await of('article').findOne(id), null)
})

t.test('several mutations, each with its condition', async t => {
  const id = await make()
  const version = await versions.of(article, id)
  const mutation = (title: string) =>
    `updateArticle(id: ${id}, data: { title: "${title}" }, ifMatch: "${version}") { data { id } }`
  const plain = `updateArticle(id: ${id}, data: { title: "Four" }) { data { id } }`
  const answer = await ask(`mutation { one: ${mutation('Two')} two: ${mutation('Three')} three: ${plain} }`)
  t.match(answer, { data: { one: { data: { id: `${id}` } }, two: null, three: { data: { id: `${id}` } } } })
  t.match(answer.errors, [{ extensions: { error: { name: 'PreconditionFailedError' } } }])
  t.match(await of('article').findOne(id), { title: 'Four' })
})

t.test('single types', async t => {
  const put = (more = '') => ask(`mutation { updateHomepage(data: { greeting: "Hello" }${more}) { data { version } } }`)
  const failed = { errors: [{ extensions: { error: { name: 'PreconditionFailedError' } } }] }
  t.match(await put(', ifMatch: "x"'), failed, 'there is no entry')
  const first = (await put()).data.updateHomepage.data.version
  t.equal(first, await versions.of('api::homepage.homepage', 1))
  t.match(await put(`, ifMatch: "${first}"`), { data: { updateHomepage: { data: { version: /^\w{32}$/ } } } })
  t.match(await put(`, ifMatch: "${first}"`), failed)
  const remove = (version: unknown) => ask(`mutation { deleteHomepage(ifMatch: "${version}") { data { id } } }`)
  t.match(await remove(first), failed)
  t.match(await remove(await versions.of('api::homepage.homepage', 1)), {
    data: { deleteHomepage: { data: { id: '1' } } },
  })
})

t.test('a mutation that the application resolves has no condition, which nobody would check', async t => {
  const replaced = await start(t, {
    configure: ({ services }) =>
      services
        .find('graphql', 'extension')!
        .use({ resolvers: { Mutation: { updateArticle: () => ({ data: null }) } } }),
  })
  const answer = await replaced.ask('mutation { updateArticle(id: 1, data: {}, ifMatch: "x") { data { id } } }')
  t.match(answer, { errors: [{ message: /Unknown argument "ifMatch"/ }] })
})
