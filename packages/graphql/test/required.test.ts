// Required attributes of every kind are non-null in answers (B-9.66), as are those of v4's schema.

import t from 'tap'
import { serve } from './fixtures/served.ts'

const info = (singularName: string, pluralName: string) => ({ singularName, pluralName, displayName: singularName })

const components = {
  'shared.seal': { collectionName: 'seals', info: { displayName: 'Seal' }, attributes: { text: { type: 'string' } } },
}
const seal = { type: 'component', component: 'shared.seal' }
const to = (relation: string) => ({ type: 'relation', relation, target: 'api::stamp.stamp' })
const attributes = {
  seal,
  seals: { ...seal, repeatable: true },
  zone: { type: 'dynamiczone', components: ['shared.seal'] },
  one: to('oneToOne'),
  many: to('oneToMany'),
}
const required = Object.fromEntries(
  Object.entries(attributes).map(([name, attribute]) => [`${name}Needed`, { ...attribute, required: true }]),
)
const contentTypes = [
  { kind: 'collectionType', collectionName: 'stamps', info: info('stamp', 'stamps'), attributes: {} },
  {
    kind: 'collectionType',
    collectionName: 'letters',
    info: info('letter', 'letters'),
    attributes: { ...attributes, ...required },
  },
]

interface Introspected {
  readonly __type: { readonly fields: readonly { name: string; type: { kind: string; ofType: unknown } }[] }
  readonly input: { readonly inputFields: readonly { name: string; type: { kind: string } }[] }
}

t.test('the types of fields', async t => {
  const { ask } = await serve(t, { contentTypes, components })
  const { body } = await ask(
    '{ __type(name: "Letter") { fields { name type { kind ofType { kind name } } } } input: __type(name: "LetterInput") { inputFields { name type { kind } } } }',
  )
  const { __type, input } = body.data as unknown as Introspected
  const types = new Map(__type.fields.map(one => [one.name, one.type]))
  for (const name of Object.keys(attributes)) {
    const { kind, ofType } = types.get(name)!
    t.not(kind, 'NON_NULL', name)
    t.match(types.get(`${name}Needed`), { kind: 'NON_NULL', ofType: { kind } }, `${name}, required`)
    if (ofType === null) t.ok(kind === 'OBJECT')
  }
  for (const { name, type } of input.inputFields) t.not(type.kind, 'NON_NULL', `${name} of the input`)
})

t.test('a required component that is missing', async t => {
  const { ask, kernel } = await serve(t, { contentTypes, components })
  const { id } = await kernel.query('api::stamp.stamp').create({ data: {} })
  await kernel.query('api::letter.letter').create({
    data: {
      oneNeeded: id,
      manyNeeded: [id],
      sealNeeded: { text: 'a' },
      sealsNeeded: [],
      zoneNeeded: [{ __component: 'shared.seal', text: 'b' }],
    },
  })
  await kernel.knex(kernel.contentTypes.require('api::letter.letter').table).insert({ id: 2 })
  const nothing = { data: { attributes: null } }
  const error = { message: 'Cannot return null for non-nullable field Letter.sealNeeded.' }
  const fields =
    'sealNeeded { text } sealsNeeded { text } zoneNeeded { __typename } oneNeeded { data { id } } manyNeeded { data { id } }'
  const whole = {
    sealNeeded: { text: 'a' },
    sealsNeeded: [],
    zoneNeeded: [{ __typename: 'ComponentSharedSeal' }],
    oneNeeded: { data: { id: '1' } },
    manyNeeded: { data: [{ id: '1' }] },
  }
  // The second time, an operation is answered in another way than the first time.
  for (const _ of [1, 2, 3]) {
    const one = await ask(`{ letter(id: 2) { data { attributes { ${fields} } } } }`)
    t.match(one, { status: 200, body: { data: { letter: nothing }, errors: [error] } })
    const list = await ask(`{ letters(sort: "id") { data { id attributes { ${fields} } } } }`)
    t.match(list.body, {
      data: {
        letters: {
          data: [
            { id: '1', attributes: whole },
            { id: '2', attributes: null },
          ],
        },
      },
      errors: [{ ...error, path: ['letters', 'data', 1, 'attributes', 'sealNeeded'] }],
    })
    const others = await ask(
      '{ letter(id: 2) { data { attributes { sealsNeeded { text } zoneNeeded { __typename } } } } }',
    )
    t.same(others.body, { data: { letter: { data: { attributes: { sealsNeeded: [], zoneNeeded: [] } } } } })
  }
})
