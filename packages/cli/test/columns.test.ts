// The columns of a project's database, by which custom fields get their types.

import { createKernel, freezeModel } from '@plinth/kernel'
import { freshDatabase } from '@plinth/test-tools/databases'
import t from 'tap'
import { columnsOf } from '../src/inspection/columns.ts'

/** Returns a content type with one attribute. */
const page = (attribute: object) => ({
  uid: 'api::page.page',
  kind: 'collectionType',
  collectionName: 'pages',
  info: { singularName: 'page', pluralName: 'pages', displayName: 'page' },
  attributes: { many: attribute },
})
const field = { type: 'customField', customField: 'plugin::own.many' }

t.test('a survey of a model takes the columns of a database', async t => {
  const { config, drop } = await freshDatabase('sqlite')
  t.teardown(drop)
  const kernel = await createKernel({ database: config, contentTypes: [page({ type: 'json' })] })
  await kernel.close()
  const findColumn = await columnsOf(config, '.')
  const { customFields } = await freezeModel({ contentTypes: [page(field)], findColumn })
  t.match(customFields.settled, [{ attribute: 'many', type: 'json' }])
})

t.test('a database that cannot be read has no columns', async t => {
  const findColumn = await columnsOf({ client: 'sqlite', connection: { filename: '/nowhere/at/all.db' } }, '.')
  const { customFields } = await freezeModel({ contentTypes: [page(field)], findColumn })
  t.match(customFields.settled, [{ type: 'text' }])
})
