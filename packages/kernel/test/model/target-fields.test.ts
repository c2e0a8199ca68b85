// A uid's targetField names an attribute (B-10.11).

import t from 'tap'
import { boot, thrown, type } from '../fixtures/boot.ts'

t.test('the targetField of a uid must exist', async t => {
  const handle = (targetField: unknown) =>
    type('page', { title: { type: 'string' }, handle: { type: 'uid', targetField } })
  for (const [targetField, words] of [
    ['titel', 'no attribute "titel", did you mean "title"?'],
    ['subject', 'no attribute "subject"'],
    [5, 'no attribute 5'],
  ] as const) {
    const { message } = await thrown(t, () => boot(t, { file: ':memory:', contentTypes: [handle(targetField)] }))
    t.equal(message, `api::page.page: attributes.handle.targetField: api::page.page has ${words}`)
  }
  for (const targetField of ['title', 'createdAt', null, undefined])
    await boot(t, { file: ':memory:', contentTypes: [handle(targetField)] })
})
