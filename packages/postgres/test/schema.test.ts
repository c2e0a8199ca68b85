// `schema` of config/database: a schema that the database lacks is refused at the start.

import { createKernel } from '@plinth/kernel'
import { databases, freshDatabase } from '@plinth/test-tools/databases'
import t from 'tap'

const skip = !(await databases()).includes('postgres')

t.test('connection.schema', { skip }, async t => {
  const database = await freshDatabase('postgres')
  t.teardown(() => database.drop())
  const start = (schema: string) => {
    const { connection } = database.config
    return createKernel({ database: { client: 'postgres', connection: { ...connection, schema } } })
  }
  await t.rejects(start('cms'), {
    code: 'PLINTH_CONFIG_INVALID',
    message: 'config/database: connection.schema: the database has no schema "cms"; make it by CREATE SCHEMA "cms"',
  })
  const kernel = await start('public')
  await kernel.knex.raw('CREATE SCHEMA cms')
  await kernel.close()
  await (await start('cms')).close()
})
