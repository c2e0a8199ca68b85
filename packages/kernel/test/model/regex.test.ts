// Patterns of attributes: no value makes one run for long, and faulty ones are named.

import { processorSince } from '@plinth/test-tools/processor'
import t from 'tap'
import { compileRegex, findRegexFault } from '../../src/model/regex.ts'

t.test('no value makes a pattern run for long', async t => {
  const matches = compileRegex('^(a+)+$')
  t.ok(matches('aaaa'))
  const start = process.cpuUsage()
  t.notOk(matches(`${'a'.repeat(50)}!`))
  t.ok(processorSince(start) < 2000)
  t.equal(findRegexFault('['), 'Invalid regular expression: /[/: Unterminated character class')
  t.equal(findRegexFault(5), 'must be a string')
  t.equal(findRegexFault('^[a-z]+$'), null)
})

t.test('a test is run again if the thread had no processor, a few times', async t => {
  const { threadCpuUsage } = process
  t.teardown(() => {
    process.threadCpuUsage = threadCpuUsage
  })
  const matches = compileRegex('^(a+)+$')
  const countFor = (measure: typeof threadCpuUsage) => {
    let count = 0
    process.threadCpuUsage = () => {
      count++
      return measure.call(process)
    }
    t.notOk(matches(`${'a'.repeat(50)}!`))
    return count / 2
  }
  t.equal(
    countFor(() => ({ user: 0, system: 0 })),
    4,
  )
  let used = 0
  t.equal(
    countFor(() => {
      used += 40_000
      return { user: used, system: 0 }
    }),
    1,
    'the value itself takes the time',
  )
})
