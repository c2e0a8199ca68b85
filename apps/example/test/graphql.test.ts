// The GraphQL API of the example, and each of the extensions in src/graphql.ts, on all databases.

import { databases, freshDatabase } from '@plinth/test-tools/databases'
import t, { type Test } from 'tap'
import { headersOf, openExample } from './fixtures/example.ts'

interface Answer {
  // biome-ignore lint/suspicious/noExplicitAny: answers are checked by the tests.
  readonly data?: any
  readonly errors?: readonly { readonly message: string; readonly extensions: Readonly<Record<string, unknown>> }[]
}

/** The application on a database, and a client without a socket. */
async function open(t: Test, client: Parameters<typeof freshDatabase>[0]) {
  const database = await freshDatabase(client)
  const { app, close } = await openExample({ database: database.config })
  t.teardown(async () => {
    await close()
    await database.drop()
  })
  const send = async (query: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> =>
    (await app.inject({ method: 'POST', url: '/graphql', headers, payload: { query } })).json()
  return { app, send }
}

const forbidden = { message: 'Forbidden access', extensions: { code: 'FORBIDDEN' } }

for (const client of await databases()) {
  t.test(client, async t => {
    const { app, send } = await open(t, client)
    const editor = await headersOf(app, 'editor')
    const member = await headersOf(app, 'authenticated', 'nell')
    const stranger = { name: 'Stranger', description: 'has no rights', type: 'stranger' }
    await app.kernel.query('plugin::users-permissions.role').create({ data: stranger })

    await t.test('the same answers as by REST', async t => {
      const { data } = await send('{ articles(sort: "slug") { data { id } meta { pagination { total } } } }')
      const rest = (await app.inject('/api/articles?sort=slug&pagination[pageSize]=10&fields[0]=id')).json()
      t.equal(data.articles.meta.pagination.total, rest.meta.pagination.total)
      t.same(
        data.articles.data.map((one: { id: string }) => Number(one.id)),
        rest.data.map((one: { id: number }) => one.id),
      )
    })

    await t.test('a query in the schema language, and the scope that it needs', async t => {
      const bySlug = (slug: string) => `{ articleBySlug(slug: "${slug}") { data { id attributes { title locale } } } }`
      t.match(await send(bySlug('the-oven-at-mirefield')), {
        data: { articleBySlug: { data: { id: '218', attributes: { title: 'The oven at Mirefield', locale: 'en' } } } },
      })
      t.match(await send(bySlug('le-four-de-mirefield')), {
        data: { articleBySlug: { data: { attributes: { title: 'Le four de Mirefield', locale: 'fr' } } } },
      })
      t.same(await send(bySlug('no-such-slug')), { data: { articleBySlug: { data: null } } })
      t.same(await send(bySlug('slow-dough-in-port-merrow')), { data: { articleBySlug: { data: null } } }, 'a draft')
      t.match(
        await send(
          '{ articleBySlug(slug: "the-oven-at-mirefield") { data { attributes { author { data { id } } } } } }',
        ),
        {
          data: { articleBySlug: { data: { attributes: { author: { data: { id: '12' } } } } } },
        },
      )
      t.match(
        await send(bySlug('No slug!')),
        { data: { articleBySlug: null }, errors: [{ message: 'Policy Failed' }] },
        'a policy that is a function',
      )
      const headers = await headersOf(app, 'stranger')
      t.match(await send(bySlug('the-oven-at-mirefield'), headers), {
        data: { articleBySlug: null },
        errors: [forbidden],
      })
    })

    await t.test('a type and a query in code, open to everybody', async t => {
      const numbers = '{ magazineNumbers { articles authors } }'
      t.same(await send(numbers), { data: { magazineNumbers: { articles: 220, authors: 16 } } })
    })

    await t.test('a field of a generated type', async t => {
      t.same(await send('{ article(id: 218) { data { attributes { opening } } } }'), {
        data: {
          article: {
            data: { attributes: { opening: 'At ten to four the street is so quiet that you can hear the oven tick.' } },
          },
        },
      })
    })

    await t.test('fields and a plugin of nexus', async t => {
      const teasers = '{ article(id: 218) { data { attributes { teaser standfirst } } } }'
      const { attributes } = (await send(teasers)).data.article.data
      t.match(attributes.teaser, /^\S.{20,58}…$/)
      t.ok(attributes.standfirst.startsWith(attributes.teaser.slice(0, -1)), attributes.teaser)
      const { dossiers } = (await send('{ dossiers { data { attributes { teaser introduction } } } }')).data
      t.ok(dossiers.data.length > 0)
      for (const one of dossiers.data) t.match(one.attributes.teaser, /^\S.{1,59}$/)
    })

    await t.test('a policy of a mutation', async t => {
      const comment = (text: string) =>
        `mutation { createComment(data: { text: "${text}", article: 218 }) { data { id attributes { name text } } } }`
      t.match(await send(comment('Hear, hear.')), { data: { createComment: null }, errors: [forbidden] })
      t.match(await send(comment('Hear, hear.'), member), {
        data: { createComment: { data: { attributes: { name: 'nell', text: 'Hear, hear.' } } } },
      })
      t.match(await send(comment('See https://ovens.example'), member), {
        data: { createComment: null },
        errors: [{ message: 'Policy Failed', extensions: { error: { name: 'PolicyError' } } }],
      })
    })

    await t.test('a middleware of a query', async t => {
      const found = async (name: string) => {
        const { data } = await send(`{ authors(filters: { name: { contains: "${name}" } }) { data { id } } }`)
        return data.authors.data
      }
      const plain = await found('ar')
      t.ok(plain.length > 0)
      t.same(await found('  ar '), plain)
      t.match(await send('{ authors(pagination: { limit: 1 }) { data { id } } }'), {
        data: { authors: { data: [{}] } },
      })
    })

    await t.test('a middleware of a relation, by its name', async t => {
      const times = async (args: string) => {
        const { data } = await send(
          `{ article(id: 220) { data { attributes { comments${args} { data { attributes { postedAt } } } } } } }`,
        )
        const list = data.article.data.attributes.comments.data
        return list.map((one: { attributes: { postedAt: string } }) => one.attributes.postedAt)
      }
      const sorted = await times('(sort: "postedAt")')
      t.ok(sorted.length > 2)
      t.same(await times(''), sorted.toReversed(), 'the newest first')
    })

    await t.test('what is left out of the generated schema', async t => {
      const asking = (text: string) => send(text, editor)
      t.match((await asking('mutation { deleteIssue(id: 1) { data { id } } }')).errors, [
        { message: /Cannot query field "deleteIssue"/ },
      ])
      t.match((await asking('{ author(id: 1) { data { attributes { email } } } }')).errors, [
        { message: /Cannot query field "email"/ },
      ])
      t.match((await asking('{ authors(filters: { email: { eq: "x" } }) { data { id } } }')).errors, [
        { message: /Field "email" is not defined/ },
      ])
      const left: [text: string, message: RegExp][] = [
        ['{ desks { data { id } } }', /Cannot query field "desks"/],
        ['{ author(id: 1) { data { attributes { desk { data { id } } } } } }', /Cannot query field "desk"/],
        ['{ tags { data { id } } }', /Cannot query field "tags"/],
        ['mutation { createCorrection(data: {}) { data { id } } }', /Cannot query field "createCorrection"/],
        ['mutation { createCategory(data: {}) { data { id } } }', /Cannot query field "createCategory"/],
        ['mutation { deleteCategory(id: 1) { data { id } } }', /Cannot query field "deleteCategory"/],
        [
          'mutation { updateArticle(id: 1, data: { readingMinutes: 1 }) { data { id } } }',
          /"readingMinutes" is not def/,
        ],
        ['{ categories { data { attributes { position } } } }', /Cannot query field "position"/],
        ['{ articles(filters: { body: { contains: "x" } }) { data { id } } }', /Field "body" is not defined/],
      ]
      for (const [text, message] of left) t.match((await asking(text)).errors, [{ message }], text)
      const right = [
        '{ article(id: 218) { data { attributes { readingMinutes body tags { data { id } } } } } }',
        '{ corrections { data { id attributes { text } } } }',
        '{ categories(sort: "position", filters: { position: { gt: 1 } }) { data { id } } }',
        'mutation { updateCategory(id: 1, data: { position: 1 }) { data { id } } }',
        'mutation { updateTag(id: 1, data: { name: "Bread" }) { data { id } } }',
      ]
      for (const text of right) t.equal((await asking(text)).errors, undefined, text)
      t.match(await asking('mutation { updateIssue(id: 1, data: { title: "First" }) { data { id } } }'), {
        data: { updateIssue: { data: { id: '1' } } },
      })
    })

    await t.test('the field rule of editors’ notes', async t => {
      const note = '{ article(id: 219) { data { attributes { title editorsNote } } } }'
      t.match(await send(note, editor), {
        data: { article: { data: { attributes: { editorsNote: /lines over/ } } } },
      })
      t.match(await send(note), {
        data: { article: { data: { attributes: { editorsNote: null } } } },
        errors: [forbidden],
      })
    })
  })
}
