// The seed in a database: it is complete, equal each time, and written only once.

import t from 'tap'
import { seedWhenEmpty } from '../src/seed/seed.ts'
import { openExample } from './fixtures/example.ts'

type Entry = Record<string, unknown>
type Example = Awaited<ReturnType<typeof openExample>>

const { app, written, close } = await openExample()
t.teardown(close)

/** All entries of all types with all their attributes, except for those that depend on the time or on chance. */
async function dump({ app }: Pick<Example, 'app'>): Promise<Record<string, unknown>> {
  const types = app.kernel.contentTypes.values().filter(type => type.uid.startsWith('api::'))
  const content: Record<string, unknown> = {}
  for (const { uid, attributes } of types) {
    const everywhere = { publicationState: 'preview', ...(attributes.has('locale') && { locale: 'all' }) }
    const entries = await app.kernel.query(uid).findMany({ populate: '*', ...everywhere })
    const text = JSON.stringify(entries, (key, value) =>
      ['createdAt', 'updatedAt', 'deskPassword'].includes(key) ? undefined : value,
    )
    content[uid] = JSON.parse(text)
  }
  return content
}

const content = (await dump({ app })) as Record<string, Entry[]>

t.test('the seed prints its progress in plain lines', async t => {
  t.match(written[0], 'The database is empty')
  t.match(written.at(-1), /^226 articles are in place after \d+\.\d s\n$/)
  t.ok(written.length < 10)
})

t.test('there are 200 articles with their relations and components', async t => {
  const articles = content['api::article.article']!
  t.ok(articles.filter(article => article.publishedAt !== null).length >= 200)
  const isWhole = (article: Entry) =>
    ['title', 'slug', 'standfirst', 'body'].every(name => typeof article[name] === 'string' && article[name] !== '') &&
    (article.author as Entry | null)?.name !== undefined &&
    (article.categories as Entry[]).length === 2 &&
    (article.tags as Entry[]).length > 0 &&
    (article.seo as Entry).metaTitle === article.title &&
    (article.readingMinutes as number) > 0
  t.same(
    articles.filter(article => !isWhole(article)),
    [],
  )
})

t.test('every attribute of every type is used somewhere', async t => {
  const isUsed = (uid: string, name: string) =>
    content[uid]!.some(({ [name]: value }) => (Array.isArray(value) ? value.length > 0 : value != null))
  // Media attributes need a plugin, and private attributes are not in responses. Nobody has registered yet.
  const isOfUsers = ({ target }: Record<string, unknown>) => target === 'plugin::users-permissions.user'
  const unused = app.kernel.contentTypes
    .values()
    .filter(type => type.uid in content)
    .flatMap(type => [...type.attributes.values()].map(attribute => ({ uid: type.uid, attribute })))
    .filter(
      ({ attribute }) => !attribute.private && attribute.type !== 'media' && !/^(cre|upd)atedAt$/.test(attribute.name),
    )
    .filter(({ attribute }) => !isOfUsers(attribute.definition))
    .filter(({ uid, attribute }) => !isUsed(uid, attribute.name))
  t.same(unused, [])
})

t.test('a second seed gives equal content', async t => {
  const other = await openExample()
  const again = await dump(other)
  t.same(Object.keys(again), Object.keys(content))
  for (const [uid, entries] of Object.entries(content)) {
    t.ok(JSON.stringify(again[uid]) === JSON.stringify(entries), uid)
  }
  await other.close()
})

t.test('a database with content is left alone', async t => {
  const lines: string[] = []
  await seedWhenEmpty(app.kernel, { write: text => lines.push(text) })
  t.same(lines, [])
})
