// Bounds of attributes: texts are read as numbers, and bounds that no entry can meet are refused.

import t, { type Test } from 'tap'
import { boot, component, repositories, thrown, type, uid } from '../fixtures/boot.ts'

async function faultOf(t: Test, definition: object): Promise<string> {
  const components = { 'shared.part': component('shared.part', { name: { type: 'string' } }) }
  const contentTypes = [type('page', { at: definition as never })]
  return (await thrown(t, () => boot(t, { file: ':memory:', contentTypes, components }))).message
}

const at = `${uid('page')}: attributes.at.`
const part = { type: 'component', component: 'shared.part', repeatable: true }
const zone = { type: 'dynamiczone', components: ['shared.part'] }

t.test('bounds written as text apply', async t => {
  const kernel = await boot(t, {
    components: { 'shared.part': component('shared.part', { name: { type: 'string' } }) },
    contentTypes: [
      type('page', {
        word: { type: 'string', minLength: '3', maxLength: '5', min: '' },
        parts: { ...part, min: '2', max: '3' },
        zone: { ...zone, max: '1' },
        size: { type: 'integer', min: '2', max: ' 4 ' },
        big: { type: 'biginteger', max: '99999999999999999999' },
        day: { type: 'date', min: '2024-01-01' },
      }),
    ],
  })
  const pages = repositories(kernel)('page')
  const item = { __component: 'shared.part', name: 'a' }
  for (const [data, message] of [
    [{ word: 'ab' }, 'word must be at least 3 characters'],
    [{ word: 'abcdef' }, 'word must be at most 5 characters'],
    [{ parts: [{}] }, 'parts field must have at least 2 items'],
    [{ parts: [{}, {}, {}, {}] }, 'parts field must have less than or equal to 3 items'],
    [{ zone: [item, item] }, 'zone field must have less than or equal to 1 items'],
    [{ size: 1 }, 'size must be greater than or equal to 2'],
  ] as const)
    t.match(await thrown(t, () => pages.create({ data })), { status: 400, message })
  await pages.create({ data: { word: 'abc', parts: [{}, {}], zone: [item], size: 4, big: '7' } })
})

t.test('bounds that no value can meet are refused', async t => {
  const rows: readonly (readonly [definition: object, words: string])[] = [
    [{ type: 'string', minLength: true }, 'minLength: must be a number'],
    [{ type: 'text', maxLength: [] }, 'maxLength: must be a number'],
    [{ type: 'string', minLength: 'ten' }, 'minLength: must be a number'],
    [
      { type: 'string', minLength: 5, maxLength: '3' },
      'minLength: must not be greater than maxLength, which is 3, found 5',
    ],
    [{ type: 'integer', min: 3, max: 2 }, 'min: must not be greater than max, which is 2, found 3'],
    [{ ...part, min: '3', max: '2' }, 'min: must not be greater than max, which is 2, found 3'],
    [{ ...zone, max: true }, 'max: must be a number'],
  ]
  for (const [definition, words] of rows) t.equal(await faultOf(t, definition), at + words)
})
