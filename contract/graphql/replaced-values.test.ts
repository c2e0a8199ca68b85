// Property: REST and GraphQL save an entry with unique values in its components as it is, and refuse what another has.

import { fresh, onEach } from '@plinth/test-tools/on-each'
import { start } from '../../packages/graphql/test/fixtures/boot.ts'
import { component, type } from '../../packages/kernel/test/fixtures/boot.ts'

const components = {
  'shop.variant': component('shop.variant', { name: { type: 'string' }, ean: { type: 'biginteger', unique: true } }),
}
const attributes = {
  title: { type: 'string' },
  main: { type: 'component', component: 'shop.variant' },
  others: { type: 'component', component: 'shop.variant', repeatable: true },
  zone: { type: 'dynamiczone', components: ['shop.variant'] },
}
const contentTypes = [type('offer', attributes), type('shelf', attributes, { kind: 'singleType' })]
const inZone = (ean: string) => ({ __component: 'shop.variant', ean })

await onEach('an entry is saved again by both', async t => {
  const { config: database } = await fresh(t)
  const { app, ask } = await start(t, { contentTypes, components, database })
  const send = async (method: 'POST' | 'PUT', url: string, data: object) => {
    const answer = await app.inject({ method, url: `${url}?populate=*`, payload: { data } })
    return { status: answer.statusCode, body: answer.json() }
  }
  const data = { main: { ean: '1' }, others: [{ ean: '2' }, { ean: '3' }], zone: [inZone('4')] }
  t.equal((await send('POST', '/api/offers', data)).status, 200)
  t.equal((await send('PUT', '/api/offers/1', data)).status, 200)
  t.equal((await send('PUT', '/api/offers/1', { others: [{ ean: '1' }], main: { ean: '3' } })).status, 200)
  const shelf = { main: { ean: '5' }, others: [{ ean: '6' }, { ean: '2' }] }
  for (let i = 0; i < 2; i++) t.equal((await send('PUT', '/api/shelf', shelf)).status, 200)
  const refused = await send('PUT', '/api/shelf', { others: [{ ean: '6' }, { ean: '4' }] })
  t.match(refused, { status: 400, body: { error: { details: { errors: [{ path: ['others', '1', 'ean'] }] } } } })

  const update = (more: string) =>
    ask(
      `mutation { updateOffer(id: 1, data: { ${more} }) { data { attributes { main { id ean } others { id ean } } } } }`,
    )
  for (let i = 0; i < 2; i++) {
    const { body } = await update('main: { ean: "1" }, others: [{ ean: "3" }, { ean: "7" }]')
    t.match(body, { data: { updateOffer: { data: { attributes: { main: { ean: '1' } } } } } })
    const { others } = body.data.updateOffer.data.attributes
    const [one, two] = others as { id: string }[]
    const swapped = await update(`others: [{ id: "${one!.id}", ean: "7" }, { id: "${two!.id}", ean: "3" }]`)
    t.match(swapped.body, { data: { updateOffer: { data: { attributes: { others: [{ ean: '7' }, { ean: '3' }] } } } } })
  }
  const taken = await update('main: { ean: "6" }')
  t.match(taken.body, { errors: [{ message: 'This attribute must be unique' }], data: { updateOffer: null } })
})
