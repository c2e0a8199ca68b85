// The seed in a database: it is complete, equal each time, and written only once.

import t from 'tap'
import { seedWhenEmpty } from '../src/seed/seed.ts'
import { openExample } from './fixtures/example.ts'

type Entry = Record<string, unknown>
type Example = Awaited<ReturnType<typeof openExample>>

const { app, written, close } = await openExample({ isFirstStart: true })
t.teardown(close)

/** The names of files are drawn by lot, and formats contain them. */
const chances = ['createdAt', 'updatedAt', 'deskPassword', 'hash', 'url', 'formats']

/** All entries of all types with all their attributes, except for those that depend on the time or on chance. */
async function dump({ app }: Pick<Example, 'app'>): Promise<Record<string, unknown>> {
  const types = app.kernel.contentTypes.values().filter(type => type.uid.startsWith('api::'))
  const content: Record<string, unknown> = {}
  for (const { uid, attributes } of types) {
    const everywhere = { publicationState: 'preview', ...(attributes.has('locale') && { locale: 'all' }) }
    const entries = await app.kernel.query(uid).findMany({ populate: '*', ...everywhere })
    const text = JSON.stringify(entries, (key, value) => (chances.includes(key) ? undefined : value))
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

t.test('articles have the cover of their beat, in v4’s formats, and guides have a gallery', async t => {
  const files = (await app.inject('/api/upload/files?sort=id')).json() as Entry[]
  t.equal(files.length, 10, 'one for each beat')
  t.same(
    files.filter(({ width, height, mime }) => width !== 1200 || height !== 800 || mime !== 'image/png'),
    [],
  )
  for (const { formats, name } of files)
    t.same(Object.keys(formats as object).sort(), ['large', 'medium', 'small', 'thumbnail'], `${name}`)
  const articles = content['api::article.article']!
  const isCovered = ({ cover, categories }: Entry) =>
    (categories as Entry[]).some(({ slug }) => (cover as Entry).name === `${slug}.png`)
  const ofEnglish = articles.filter(({ locale }) => locale === 'en')
  t.same(
    ofEnglish.filter(article => !isCovered(article)),
    [],
  )
  const isRight = ({ gallery, kind }: Entry) => (gallery as Entry[]).length === (kind === 'guide' ? 3 : 0)
  t.same(
    articles.filter(article => article.cover === null || !isRight(article)),
    [],
    'in every language',
  )
})

t.test('pictures and their formats are served', async t => {
  const [file] = (await app.inject('/api/upload/files?pagination[limit]=1&sort=id')).json()
  for (const { url } of [file, ...Object.values(file.formats as Record<string, { url: string }>)]) {
    const { statusCode, headers, rawPayload } = await app.inject(url)
    t.equal(statusCode, 200, url)
    t.equal(headers['content-type'], 'image/png')
    t.equal(rawPayload.readUInt32BE(12), Buffer.from('IHDR').readUInt32BE())
  }
})

t.test('the key of the seed is gone', async t => {
  t.same(await app.kernel.query('admin::api-token').findMany(), [])
})

t.test('every attribute of every type is used somewhere', async t => {
  const isUsed = (uid: string, name: string) =>
    content[uid]!.some(({ [name]: value }) => (Array.isArray(value) ? value.length > 0 : value != null))
  // Private attributes are not in responses, and nobody has registered yet. The magazine has no portraits and no logo.
  const isEmpty = ({ name }: { readonly name: string }) => name === 'portrait' || name === 'logo'
  const isOfUsers = ({ target }: Record<string, unknown>) => target === 'plugin::users-permissions.user'
  const unused = app.kernel.contentTypes
    .values()
    .filter(type => type.uid in content)
    .flatMap(type => [...type.attributes.values()].map(attribute => ({ uid: type.uid, attribute })))
    .filter(({ attribute }) => !attribute.private && !isEmpty(attribute) && !/^(cre|upd)atedAt$/.test(attribute.name))
    .filter(({ attribute }) => !isOfUsers(attribute.definition))
    .filter(({ uid, attribute }) => !isUsed(uid, attribute.name))
  t.same(unused, [])
})

t.test('a second seed gives equal content', async t => {
  const other = await openExample({ isFirstStart: true })
  const again = await dump(other)
  t.same(Object.keys(again), Object.keys(content))
  for (const [uid, entries] of Object.entries(content)) {
    t.ok(JSON.stringify(again[uid]) === JSON.stringify(entries), uid)
  }
  await other.close()
})

t.test('a database with content is left alone', async t => {
  const lines: string[] = []
  const files = () => app.kernel.query('plugin::upload.file').count()
  const before = await files()
  await seedWhenEmpty(app, { write: text => lines.push(text) })
  t.same(lines, [])
  t.equal(await files(), before)
})
