// An attribute whose column has another type, by GraphQL and REST: writes and comparisons are a 400 with a sentence, and
// what is there is answered.

import { fresh, onEach } from '@plinth/test-tools/on-each'
import { start } from './fixtures/boot.ts'

const model = (value: object) => ({
  contentTypes: [
    {
      collectionName: 'things',
      info: { singularName: 'thing', pluralName: 'things', displayName: 'thing' },
      attributes: { value, name: { type: 'string' } },
    },
  ],
  components: {},
})

for (const [kind, literal] of [
  ['integer', '5'],
  ['boolean', 'true'],
  ['datetime', '"2024-05-05T10:00:00.000Z"'],
  ['enumeration', 'a'],
] as const) {
  await onEach(`text to ${kind}, pending`, async t => {
    const { config: database } = await fresh(t)
    const was = kind === 'enumeration' ? { type: 'json' } : { type: 'string' }
    const before = await start(t, { database, ...model(was) } as never)
    const stored = kind === 'enumeration' ? { long: 'x'.repeat(300) } : 'seven'
    await before.kernel.query('api::thing.thing').create({ data: { value: stored, name: 'old' } as never })
    await before.app.close()
    const changed = kind === 'enumeration' ? { type: kind, enum: ['a'] } : { type: kind }
    const { ask, app } = await start(t, { database, ...model(changed) } as never)
    const written = /value cannot be written: the change of its type is pending/
    const compared = /value: it cannot be compared: the change of its type is pending/
    const refused = async (operation: string, message: RegExp) => {
      const { body } = await ask(operation)
      const [error] = (body as { errors: { message: string; extensions: object }[] }).errors
      t.match(error, { message, extensions: { error: { name: 'ValidationError' } } }, operation)
    }
    await refused(`mutation { createThing(data: { value: ${literal} }) { data { id } } }`, written)
    await refused(`mutation { updateThing(id: 1, data: { value: ${literal} }) { data { id } } }`, written)
    await refused(
      `{ things(filters: { value: { eq: ${kind === 'enumeration' ? '"a"' : literal} } }) { data { id } } }`,
      compared,
    )
    await refused(`{ things(sort: "value:desc") { data { id } } }`, compared)
    const sent = JSON.parse(kind === 'enumeration' ? '"a"' : literal) as unknown
    const requests = [
      { method: 'POST', url: '/api/things', payload: { data: { value: sent } } },
      { method: 'PUT', url: '/api/things/1', payload: { data: { value: sent } } },
      { method: 'GET', url: `/api/things?filters[value][$lt]=${String(sent)}` },
      { method: 'GET', url: '/api/things?sort=value' },
    ] as const
    for (const request of requests) {
      const { statusCode, body } = await app.inject(request as never)
      t.equal(statusCode, 400, `${request.method} ${request.url}`)
      t.match(body, /change of its type is pending/)
    }
    const list = await app.inject({ url: '/api/things' })
    t.equal(list.statusCode, 200)
    t.match(list.json(), { data: [{ attributes: { name: 'old' } }] })
    const { body } = await ask('{ things { data { attributes { name } } } }')
    t.same(body, { data: { things: { data: [{ attributes: { name: 'old' } }] } } })
    const made = await ask('mutation { createThing(data: { name: "new" }) { data { attributes { name value } } } }')
    t.same(made.body, { data: { createThing: { data: { attributes: { name: 'new', value: null } } } } })
  })
}
