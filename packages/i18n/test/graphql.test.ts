// What the plugin adds to GraphQL: the locale of new entries, translations and the list of locales (B-9.41, B-9.45 to
// B-9.47, B-9.80).

import graphql from '@plinth/graphql'
import { definePlugin } from '@plinth/kernel'
import t, { type Test } from 'tap'
import { start } from './fixtures/boot.ts'

type Options = Parameters<typeof start>[1]

async function startGraphql(t: Test, options: Options = {}) {
  const started = await start(t, { ...options, plugins: { graphql: { plugin: graphql }, ...options.plugins } })
  const ask = async (query: string, variables: object = {}) => {
    const response = await started.app.inject({ method: 'POST', url: '/graphql', payload: { query, variables } })
    return response.json()
  }
  return { ...started, ask }
}

t.test('translations and locales', async t => {
  const { ask, get } = await startGraphql(t)
  const create = (args: string) => ask(`mutation { createPost(${args}) { data { id attributes { locale } } } }`)
  t.same((await create('data: { title: "t" }')).data.createPost, { data: { id: '1', attributes: { locale: 'en' } } })
  t.same((await create('data: { title: "t" }, locale: "fr"')).data.createPost, {
    data: { id: '2', attributes: { locale: 'fr' } },
  })
  const byVariable = 'mutation($l: I18NLocaleCode) { createPost(data: { }, locale: $l) { data { id } } }'
  t.match(await ask(byVariable, { l: 'xx' }), { errors: [{ message: "This locale doesn't exist" }] })
  t.match(await create('data: { title: "t", locale: "fr" }'), {
    errors: [{ message: /Field "locale" is not defined/ }],
  })

  const translate = (args: string) =>
    ask(`mutation { createPostLocalization(${args}) { data { id attributes {
      locale publishedAt localizations(publicationState: PREVIEW) { data { id } } } } } }`)
  t.same((await translate('id: 1, locale: "de", data: { title: "t" }')).data.createPostLocalization.data, {
    id: '3',
    attributes: { locale: 'de', publishedAt: null, localizations: { data: [{ id: '1' }] } },
  })
  const refusals: readonly (readonly [args: string, message: string])[] = [
    ['id: 1, locale: "de"', 'locale is already used'],
    ['id: 1', 'locale is missing'],
    ['id: 99, locale: "de"', 'Entity not found'],
    ['locale: "de"', 'Entity not found'],
  ]
  for (const [args, message] of refusals) t.match(await translate(args), { errors: [{ message }] }, args)
  t.match(await translate('id: 1, locale: "xx"'), { errors: [{ message: /Unknown locale supplied/ }] })

  const locales = await ask('{ i18NLocales(sort: "code") { data { attributes { code } } } }')
  t.same(
    locales.data.i18NLocales.data.map((one: { attributes: { code: string } }) => one.attributes.code),
    ['de', 'en', 'fr'],
  )
  t.match(await ask('mutation { createI18NLocale(data: { code: "it" }) { data { id } } }'), {
    errors: [{ message: /Cannot query field/ }],
  })
  t.equal((await get('locales')).status, 404, 'locales have no routes of a content type')
})

t.test('single types', async t => {
  const { ask } = await startGraphql(t)
  const update = (args: string) => ask(`mutation { updateHome(${args}) { data { id attributes { title locale } } } }`)
  t.same((await update('data: { title: "a" }, locale: "fr"')).data.updateHome.data.attributes, {
    title: 'a',
    locale: 'fr',
  })
  const translated = await ask(
    'mutation { createHomeLocalization(data: { title: "b" }, locale: "de") { data { attributes { title locale } } } }',
  )
  t.same(translated.data.createHomeLocalization.data.attributes, { title: 'b', locale: 'de' })
  t.same((await update('data: { title: "c" }, locale: "de"')).data.updateHome.data.attributes, {
    title: 'c',
    locale: 'de',
  })
  t.same((await ask('{ home(locale: "fr") { data { attributes { title } } } }')).data.home.data.attributes, {
    title: 'a',
  })
  await ask('mutation { deleteHome(locale: "fr") { data { id } } }')
  t.same((await ask('{ home(locale: "fr") { data { id } } }')).data.home.data, null)
  t.same((await ask('{ home(locale: "de") { data { attributes { title } } } }')).data.home.data.attributes, {
    title: 'c',
  })
})

t.test('a type without mutations has none for translations', async t => {
  const closed = definePlugin({
    name: 'closed',
    dependencies: ['graphql'],
    register({ kernel }) {
      kernel.services.find('graphql', 'extension')!.shadowCRUD('api::post.post').disableMutations()
    },
  })
  const { ask } = await startGraphql(t, { plugins: { closed: { plugin: closed } } })
  t.match(await ask('mutation { createPostLocalization(id: 1, locale: "de") { data { id } } }'), {
    errors: [{ message: /Cannot query field/ }],
  })
})
