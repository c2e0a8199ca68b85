// Patterns of attributes: no value makes one run for long, and faulty ones are named.

import t from 'tap'
import { compileRegex, findRegexFault } from '../../src/model/regex.ts'

t.test('no value makes a pattern run for long', async t => {
  const matches = compileRegex('^(a+)+$')
  t.ok(matches('aaaa'))
  const start = performance.now()
  t.notOk(matches(`${'a'.repeat(50)}!`))
  t.ok(performance.now() - start < 2000)
  t.equal(findRegexFault('['), 'Invalid regular expression: /[/: Unterminated character class')
  t.equal(findRegexFault(5), 'must be a string')
  t.equal(findRegexFault('^[a-z]+$'), null)
})
