// The rights of API tokens in GraphQL, and that the schema does not show the tokens themselves.

import graphql from '@plinth/graphql'
import t from 'tap'
import { start } from './fixtures/boot.ts'

t.test('a token has its rights, and the schema shows no tokens', async t => {
  const { make, post } = await start(t, { plugins: { graphql: { plugin: graphql } } })
  const ask = async (key: string | null, query: string) => (await post('/graphql', key, { query })).body
  const create = 'mutation { createArticle(data: { title: "a" }) { data { id } } }'
  const forbidden = { errors: [{ message: 'Forbidden access', extensions: { code: 'FORBIDDEN' } }] }

  const all = await make('full-access')
  t.match(await ask(all.accessKey, create), { data: { createArticle: { data: { id: '1' } } } })
  const reader = await make('read-only')
  t.match(await ask(reader.accessKey, '{ articles { data { id } } }'), { data: { articles: { data: [{ id: '1' }] } } })
  t.match(await ask(reader.accessKey, create), forbidden)
  const custom = await make('custom', ['api::article.article.find'])
  t.match(await ask(custom.accessKey, '{ articles { data { attributes { title author { data { id } } } } } }'), {
    ...forbidden,
    data: { articles: { data: [{ attributes: { title: 'a', author: null } }] } },
  })
  t.match(await ask(custom.accessKey, '{ article(id: 1) { data { id } } }'), forbidden)
  t.match(await ask('not a key', '{ articles { data { id } } }'), { error: { status: 401 } })

  const { data } = await ask(all.accessKey, '{ __schema { types { name } } }')
  t.notOk(data.__schema.types.some((one: { name: string }) => /token/i.test(one.name)))
})
