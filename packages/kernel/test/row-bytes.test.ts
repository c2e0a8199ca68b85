// The bytes of a text are exact where its characters have several, and where the text is large.

import t from 'tap'
import { bytesOfText } from '../src/index.ts'

t.test('texts of ASCII', async t => {
  for (const length of [0, 1, 64, 65, 1000, 64 * 1024, 64 * 1024 + 1]) t.equal(bytesOfText('x'.repeat(length)), length)
})

t.test('texts of other characters', async t => {
  for (const letter of ['ü', '字', '😀'])
    for (const length of [65, 1000, 20_000, 70_000]) {
      const text = letter.repeat(length)
      t.equal(bytesOfText(text), Buffer.byteLength(text), `${length} times ${letter}`)
    }
})

t.test('every second word in another script, within JSON', async t => {
  const text = JSON.stringify(
    Array.from({ length: 400 }, (_, id) => ({ id, title: 'winter', summary: '冬の物語'.repeat(5) })),
  )
  t.equal(bytesOfText(text), Buffer.byteLength(text))
})

t.test('a large text is exact, wherever its other characters are', async t => {
  const text = `${'x'.repeat(70_000)}字`
  t.equal(bytesOfText(text), 70_003)
})
