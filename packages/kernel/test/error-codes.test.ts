// Codes of errors: those of the start have their own, and those that are sent to clients the name that clients know.

import t from 'tap'
import { createKernel, PolicyError, StaleRowError, ValidationError } from '../src/index.ts'
import { boot, thrown, type, uid } from './fixtures/boot.ts'

t.test('errors sent to clients have their name as code, which is not sent', t => {
  const error = new ValidationError('no')
  t.equal(error.code, 'ValidationError')
  t.notOk(Object.keys(error).includes('code'))
  t.equal(new PolicyError().code, 'PolicyError')
  t.end()
})

t.test('errors of the start and of wrong use have codes of their own', async t => {
  const contentTypes = [type('tag', { name: { type: 'strng' } })]
  t.match(await thrown(t, () => createKernel({ database: { client: 'sqlte' }, migrate: 'none' })), {
    code: 'PLINTH_CONFIG_INVALID',
  })
  t.match(await thrown(t, () => boot(t, { contentTypes })), { code: 'PLINTH_SCHEMA_INVALID' })
  t.match(await thrown(t, () => boot(t, { plugins: { nobody: true } })), { code: 'PLINTH_PLUGIN_NOT_FOUND' })
  t.equal(new StaleRowError().code, 'PLINTH_READ_STALE')
  t.match(await thrown(t, () => boot(t, { configure: kernel => void kernel.query(uid('tag')) })), {
    name: 'UsageError',
    code: 'PLINTH_NOT_STARTED',
  })
  const kernel = await boot(t, { contentTypes: [type('tag', {})] })
  t.throws(() => kernel.query('api::tga.tag'), { code: 'PLINTH_TYPE_UNKNOWN', message: /did you mean "api::tag\.tag"/ })
  const ended = await kernel.transaction(async tx => tx)
  t.match(await thrown(t, () => ended.all('SELECT 1', [])), { code: 'PLINTH_TRANSACTION_ENDED' })
})
