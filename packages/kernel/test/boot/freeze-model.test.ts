// freezeModel: the model with the plugins, and no database.

import t from 'tap'
import { definePlugin, freezeModel } from '../../src/index.ts'

const book = {
  kind: 'collectionType',
  collectionName: 'books',
  info: { singularName: 'book', pluralName: 'books', displayName: 'Book' },
  attributes: { title: { type: 'string' } },
}

t.test('the model is as plugins make it, and takes no more types', async t => {
  const plugin = definePlugin({
    name: 'pages',
    register: ({ kernel }) => kernel.hooks.on('preModel', draft => draft.attribute('pages', { type: 'integer' })),
  })
  const types = await freezeModel({ contentTypes: [book], plugins: { pages: { plugin } } })
  t.ok(types.require('api::book.book').attributes.has('pages'))
  t.throws(() => types.add(book), { code: 'PLINTH_FROZEN' })
})

t.test('a plugin that uses the database', async t => {
  const plugin = definePlugin({ name: 'eager', register: async ({ kernel }) => void (await kernel.knex('books')) })
  await t.rejects(freezeModel({ plugins: { eager: { plugin } } }), /plugin eager: register.*there is no database/)
})

t.test('an option that is not known', async t => {
  await t.rejects(freezeModel({ contentType: [book] } as object), {
    code: 'PLINTH_OPTION_UNKNOWN',
    message: 'freezeModel: the option contentType is not known, did you mean "contentTypes"?',
  })
})
