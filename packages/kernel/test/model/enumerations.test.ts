// Values of enumerations (B-10.12): which give names, and the errors for those that do not.

import t from 'tap'
import { boot, thrown, type, uid } from '../fixtures/boot.ts'

t.test('values from which v4 makes names are accepted', async t => {
  const enums = [
    ['привет', 'мир'],
    ['Äpfel', 'Apfel', 'straße', 'été'],
    ['καλημέρα', 'a1', 'b-2', '(c)', '_d', 'e & f', 'e f'],
    ['مرحبا', 'გამარჯობა'],
  ]
  for (const list of enums)
    await boot(t, { file: ':memory:', contentTypes: [type('page', { at: { type: 'enumeration', enum: list } })] })
})

t.test('other values are refused', async t => {
  const rows = [
    [['2nd'], '"2nd" has no letter before its first digit'],
    [['_1'], '"_1" has no letter before its first digit'],
    [['-'], '"-" contains no letter'],
    [[''], '"" contains no letter'],
    [['中文'], '"中文" must begin with a letter that can be transliterated to Latin'],
    [['été', 'ete'], '"ete" and "été" yield the same name "ete"'],
    [['a', 'a!'], '"a!" and "a" yield the same name "a"'],
  ] as const
  for (const [list, words] of rows) {
    const contentTypes = [type('page', { at: { type: 'enumeration', enum: list } })]
    const { message } = await thrown(t, () => boot(t, { file: ':memory:', contentTypes }))
    t.equal(message, `${uid('page')}: attributes.at.enum: ${words}`)
  }
})
