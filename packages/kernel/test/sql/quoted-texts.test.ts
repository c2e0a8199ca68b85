// The JSON of texts, of which the last long one is remembered.

import t from 'tap'
import { quoteText } from '../../src/sql/json.ts'

const ends = ['', '"', '\\', '\n', '\ud800', '\udc00\ud800', '😀', 'é']

t.test('texts of all lengths, with and without what is escaped', async t => {
  for (const length of [0, 1, 254, 255, 256, 257, 1000, 64 * 1024, 64 * 1024 + 1])
    for (const end of ends) {
      const texts = [`${'x'.repeat(length)}${end}`, `${'y'.repeat(length)}${end}`]
      const [first, second] = texts as [string, string]
      for (const text of [first, first, second, first, second])
        if (quoteText(text) !== JSON.stringify(text)) t.fail(`${length} ${JSON.stringify(end)}`)
    }
  t.ok(true)
})
