// The form of the subjects of commits.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { faultOfSubject, faultsOfCommits } from '../commits.ts'

const root = join(import.meta.dirname, '../..')

t.test('subjects', async t => {
  const right = [
    'feat(kernel): a plugin names the tables that it makes itself',
    'docs: every cache has a row',
    'fix(users-permissions): /users/me is answered',
    "Revert 'docs: every cache has a row'",
    "Merge branch 'caches'",
  ]
  for (const subject of right) t.equal(faultOfSubject(subject), null, subject)
  t.match(faultOfSubject('bench: rules once more'), /^has the type "bench"; the types are feat, fix, perf, /)
  t.match(faultOfSubject('Rules once more'), /^must have the form/)
  t.match(faultOfSubject("Merge branch 'docs' of /home/ann/docs"), /path of a machine/)
  t.match(faultOfSubject(`fix: ${'x'.repeat(70)}`), /^has 75 characters; at most 72/)
})

t.test('CONTRIBUTING.md lists the same types', async t => {
  const text = await readFile(join(root, 'CONTRIBUTING.md'), 'utf8')
  const [, list = ''] = /`type` is ((?:`\w+`(?:, | or )?)+)/.exec(text) ?? []
  const types = [...list.matchAll(/`(\w+)`/g)].map(([, type]) => type!)
  t.equal(types.length, 7)
  for (const type of types) t.equal(faultOfSubject(`${type}: x`), null, type)
})

t.test('the commits since the check began', async t => {
  t.same(faultsOfCommits(root), [])
})
