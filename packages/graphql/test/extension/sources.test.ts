// What resolvers of extensions receive as an entry, and as its attributes: usually one object, which is two where fields
// of both have the same name.

import t from 'tap'
import { bothWays, fill, start, thrice } from '../fixtures/extended.ts'

const shout = ({ title }: { readonly title: string }) => title.toUpperCase()

t.test('attributes under any names', t =>
  bothWays(t, async (t, way) => {
    const server = await start(t, {
      way,
      extend: extension =>
        extension.use({
          typeDefs: 'extend type Article { loud: String } extend type ArticleEntity { mark: String }',
          resolvers: { Article: { loud: shout }, ArticleEntity: { mark: shout } },
        }),
    })
    await fill(server)
    const show = async (selection: string) => {
      const { data, errors } = await thrice(t, server, `{ article(id: 1) { data { ${selection} } } }`)
      t.equal(errors, undefined)
      return data.article.data
    }
    const author = (name: string) => `${name}: author { data { attributes { name } } }`
    const found = await show(`attributes { ${author('author')} }`)
    t.type(found.attributes.author.data.attributes.name, 'string')
    const own = { mark: 'ONE', attributes: { loud: 'ONE', title: 'One', ...found.attributes } }
    t.same(await show(`mark attributes { loud title ${author('author')} }`), own)
    t.same(
      await show(`mark author: attributes { loud title ${author('author')} }`),
      { mark: own.mark, author: own.attributes },
      'the attributes have the name of one of them',
    )
    const { author: by } = found.attributes
    t.same(
      await show(
        `first: attributes { loud ${author('a')} } second: attributes { title ${author('b')} ${author('a')} }`,
      ),
      { first: { loud: 'ONE', a: by }, second: { title: 'One', b: by, a: by } },
    )
    t.same(await show(`attributes { loud ${author('attributes')} }`), { attributes: { loud: 'ONE', attributes: by } })
  }),
)

t.test('attributes that have the name of a field with code', t =>
  bothWays(t, async (t, way) => {
    const server = await start(t, {
      way,
      extend: extension =>
        extension.use({
          typeDefs: 'extend type Article { twin: ArticleEntityResponse }',
          resolvers: { Article: { twin: (value: object) => ({ value }) } },
          resolversConfig: { 'Article.author': { middlewares: [(next, ...call) => next(...call)] } },
        }),
    })
    await fill(server)
    const show = async (selection: string) => {
      const { data, errors } = await thrice(t, server, `{ article(id: 1) { data { ${selection} } } }`)
      t.equal(errors, undefined)
      return data.article.data
    }
    const author = { data: { id: '1' } }
    t.same(await show('author: attributes { author { data { id } } }'), { author: { author } })
    t.same(await show('author: attributes { title by: author { data { id } } }'), {
      author: { title: 'One', by: author },
    })
    const within = 'data { attributes { attributes: author { data { id } } } }'
    t.same(await show(`attributes { title twin { ${within} } }`), {
      attributes: { title: 'One', twin: { data: { attributes: { attributes: author } } } },
    })
    const tags = await show('attributes { tags { data { id } } }')
    t.same(
      await show('attributes { tags: author { data { id } } twin { data { attributes { tags { data { id } } } } } }'),
      {
        attributes: { tags: author, twin: { data: tags } },
      },
    )
    t.same(await show('attributes { title: tags { data { id } } twin { data { attributes { title } } } }'), {
      attributes: { title: tags.attributes.tags, twin: { data: { attributes: { title: 'One' } } } },
    })
  }),
)

t.test('unions of an application, whose code finds the types', t =>
  bothWays(t, async (t, way) => {
    const found: Readonly<Record<string, string>> = { one: 'Article', other: 'Author' }
    const server = await start(t, {
      way,
      extend: extension =>
        extension.use({
          typeDefs: `
            union Shown = Article | Tag
            union Unknown = Article | Tag
            extend type Article { shown(as: String!): Shown, all: [Shown], unknown: Unknown }
          `,
          resolvers: {
            Article: {
              shown: (source: object, { as }: { readonly as: string }) => ({ ...source, as }),
              all: (source: object) => ['one', 'later', 'one'].map(as => ({ ...source, as })),
              unknown: (source: unknown) => source,
            },
            Shown: {
              __resolveType: ({ as }: { readonly as: string }) => {
                if (as === 'later') return Promise.resolve('Tag')
                if (as === 'throw') throw new Error('not for clients')
                return found[as]
              },
            },
          },
        }),
    })
    await fill(server)
    const ask = async (selection: string) => {
      const query = `{ article(id: 1) { data { attributes { title ${selection} } } } }`
      const { data, errors } = await thrice(t, server, query)
      return { attributes: data.article.data.attributes, message: errors?.[0]?.message }
    }
    const body = '{ __typename ... on Article { title author { data { id } } } ... on Tag { label } }'
    const whole = { __typename: 'Article', title: 'One', author: { data: { id: '1' } } }
    t.same(await ask(`shown(as: "one") ${body}`), { attributes: { title: 'One', shown: whole }, message: undefined })
    t.same((await ask(`shown(as: "later") { __typename }`)).attributes.shown, { __typename: 'Tag' })
    t.same(
      (await ask(`all { __typename }`)).attributes.all.map((one: { __typename: string }) => one.__typename),
      ['Article', 'Tag', 'Article'],
    )
    for (const [selection, message] of [
      ['shown(as: "throw")', 'Internal Server Error'],
      ['shown(as: "none")', /must resolve to an Object type/],
      ['shown(as: "other")', /is not a possible type/],
      ['unknown', /must resolve to an Object type/],
    ] as const) {
      const answer = await ask(`${selection} { __typename }`)
      t.match(answer, { attributes: { title: 'One', [selection.replace(/\(.*/, '')]: null } }, selection)
      t.match(answer.message, message, selection)
    }
  }),
)

t.test('a resolver receives the scalars of the entry, and copies keep what is below', t =>
  bothWays(t, async (t, way) => {
    const seen: unknown[] = []
    const server = await start(t, {
      way,
      extend: extension =>
        extension.use({
          typeDefs: 'extend type Article { own: String }',
          resolvers: { Article: { own: (source: object) => void seen.push({ ...source }, Object.keys(source)) } },
          resolversConfig: {
            'ArticleEntity.attributes': {
              middlewares: [
                async (next, ...args) => ({ ...((await next(...args)) as { title: string }), title: 'Changed' }),
              ],
            },
          },
        }),
    })
    await fill(server)
    const query = '{ article(id: 1) { data { attributes { title own author { data { id } } } } } }'
    const { data } = await thrice(t, server, query)
    t.match(data, { article: { data: { attributes: { title: 'Changed', own: null, author: { data: { id: '1' } } } } } })
    t.match(seen[0], { id: 1, title: 'Changed' })
    t.same([...(seen[1] as string[])].sort(), ['createdAt', 'id', 'kind', 'title', 'updatedAt', 'views'])
  }),
)

/** What an application may return: an instance with methods, and with properties that are computed. */
class Weather {
  readonly place = 'here'

  degrees({ unit }: { readonly unit: string }): number {
    return unit === 'C' ? 20 : 68
  }

  get wind(): number {
    throw new Error('not for clients')
  }

  async later(): Promise<string> {
    return 'rain'
  }
}

t.test('objects of an application, whose properties may be functions or fail', t =>
  bothWays(t, async (t, way) => {
    const server = await start(t, {
      way,
      extend: extension =>
        extension.use({
          typeDefs: `
            type Weather { place: String, degrees(unit: String = "C"): Int, wind: Int, later: String }
            type Checked { name: String }
            extend type Query { weather: Weather, checked(name: String): Checked }
          `,
          resolvers: {
            Query: { weather: async () => new Weather(), checked: async (_: unknown, given: object) => given },
            Checked: {
              __isTypeOf: ({ name }: { readonly name: string }) => {
                if (name === 'bad') throw new Error('not for clients')
                return name === 'good'
              },
            },
          },
          resolversConfig: { 'Query.weather': { auth: false }, 'Query.checked': { auth: false } },
        }),
    })
    t.same(await thrice(t, server, '{ weather { place degrees other: degrees(unit: "F") later } }'), {
      data: { weather: { place: 'here', degrees: 20, other: 68, later: 'rain' } },
    })
    const { data, errors } = await thrice(t, server, '{ weather { place wind } }')
    t.same(data, { weather: { place: 'here', wind: null } })
    t.match(errors, [{ message: 'Internal Server Error' }])
    for (const name of ['good', 'bad', 'other']) {
      const answer = await thrice(t, server, `{ checked(name: "${name}") { name } }`)
      t.same(answer.data, { checked: name === 'good' ? { name } : null }, name)
      t.equal(answer.errors?.length, name === 'good' ? undefined : 1, name)
    }
  }),
)
