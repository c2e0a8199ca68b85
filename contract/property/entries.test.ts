/**
 * Entries are read as they were written: every value of random content, and with random populate trees the same nested
 * entries as in the naive model.
 */

import type { PopulateOption } from '@plinth/kernel'
import fc from 'fast-check'
import { roots, shapes, uids } from './model.ts'
import { hang, strip, toPopulate, trees } from './populates.ts'
import { compareAnswers, testCases } from './rounds.ts'

const anyRoot = fc.constantFrom(...roots)

testCases('entries read back', 0.005, anyRoot, async ({ app, library }, root) => {
  const entries = await app.kernel.query(uids[root]).findMany({ sort: 'id' })
  const names = ['id', ...Object.keys(shapes[root].scalars)]
  const found = entries.map(entry => names.map(name => entry[name]))
  compareAnswers(
    found,
    library[root].map(({ id, values }) => names.map(name => (name === 'id' ? id : values[name]))),
  )
})

const asked = anyRoot.chain(root => fc.record({ root: fc.constant(root), tree: trees(root, 2) }))

testCases('populate trees', 0.15, asked, async ({ app, library }, { root, tree }) => {
  const entries = await app.kernel
    .query(uids[root])
    .findMany({ sort: 'id', populate: toPopulate(tree) as PopulateOption })
  compareAnswers(
    entries.map(entry => strip(entry, tree)),
    library[root].map(row => hang(root, row, tree)),
  )
})
