// The nearest word to a misspelt one.

import t from 'tap'
import { nearest } from '../src/index.ts'

t.test('the nearest word is found, or none', async t => {
  const words = ['string', 'relation', 'manyToOne', 'manyToMany']
  const rows = [
    ['strng', 'string'],
    ['STRING', 'string'],
    ['manyToOen', 'manyToOne'],
    ['x', null],
    ['relatiom', 'relation'],
    ['blob', null],
  ] as const
  for (const [word, expected] of rows) t.equal(nearest(word, words), expected, word)
})
