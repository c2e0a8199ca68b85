// Names that are too long for a database: PostgreSQL shortens them, and Plinth with it, as v4 does; MySQL refuses them
// at the start.

import { databases, freshDatabase } from '@plinth/test-tools/databases'
import t from 'tap'
import { createKernel } from '../../src/index.ts'
import { repositories, type } from '../fixtures/boot.ts'

const long = (letter: string) => letter.repeat(70)

const page = {
  ...type('page', {
    title: { type: 'string' },
    [long('attribute')]: { type: 'string' },
    [long('tag')]: { type: 'relation', relation: 'oneToMany', target: 'api::tag.tag' },
  }),
  collectionName: 'pages',
}
const contentTypes = [page, type('tag', { title: { type: 'string' } })]

for (const client of await databases()) {
  t.test(client, async t => {
    const database = await freshDatabase(client)
    t.teardown(() => database.drop())
    const open = () => createKernel({ database: database.config, contentTypes })
    if (client === 'mysql') {
      const message =
        /^api::page\.page: the name "\w+" has \d+ characters, but MySQL allows 64; choose a shorter collectionName/
      await t.rejects(open(), { message })
      return
    }
    await (await open()).close()
    const kernel = await open()
    t.teardown(() => kernel.close())
    const [tags, pages] = [repositories(kernel)('tag'), repositories(kernel)('page')]
    await tags.create({ data: { title: 'a' } })
    await pages.create({ data: { [long('attribute')]: 'value', [long('tag')]: [1] } })
    const [found] = await pages.findMany({ populate: [long('tag')], filters: { [long('attribute')]: 'value' } })
    t.match(found, { [long('attribute')]: 'value', [long('tag')]: [{ title: 'a' }] })
  })
}
