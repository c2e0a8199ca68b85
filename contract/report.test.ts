/** Tests how the report of a replay is checked: every kind of worse result is found. */

import t from 'tap'
import { fewest, internalErrors, type Report, raise, shortfalls, table } from './report.ts'

const step = (name: string, passed: boolean, status = 200) => ({
  name,
  passed,
  differences: passed ? [] : ['$: differs'],
  actual: { status },
})
const report: Report = {
  suites: [
    { suite: 'a', passed: 2, failed: 0, results: [step('one', true), step('two', true)] },
    { suite: 'b', passed: 1, failed: 1, results: [step('one', true), step('two', false)] },
  ],
}

t.test('no result is worse', async t => {
  t.same(shortfalls(report, { whole: ['a'], passed: { a: 2, b: 1 } }), [])
})

t.test('a suite that must be complete is not', async t => {
  t.same(shortfalls(report, { whole: ['a', 'b'], passed: {} }), ['b › two: $: differs'])
  t.same(shortfalls(report, { whole: ['c'], passed: {} }), ['c: was not replayed'])
})

t.test('a suite passes fewer steps', async t => {
  t.same(shortfalls(report, { whole: [], passed: { b: 2 } }), [
    'b: 1 steps pass, but 2 are expected',
    'b › two: $: differs',
  ])
  t.same(shortfalls(report, { whole: [], passed: { c: 1 } }), ['c: 0 steps pass, but 1 are expected'])
})

t.test('an internal error fails even a step that passes', async t => {
  const quirk: Report = { suites: [{ suite: 'q', passed: 1, failed: 0, results: [step('broken', true, 500)] }] }
  t.same(internalErrors(quirk), ['q › broken: answered with 500'])
  t.same(shortfalls(quirk, { whole: [], passed: {} }), ['q › broken: answered with 500'])
})

t.test('expected numbers rise and never fall', async t => {
  t.same(raise(report, { whole: ['a'], passed: { a: 1, b: 5 } }), { whole: ['a'], passed: { a: 2, b: 5 } })
})

t.test('of several databases, the one with the fewest steps counts', async t => {
  const suite = (name: string, passed: number) => ({ suite: name, passed, failed: 3 - passed, results: [] })
  const one = { suites: [suite('a', 3), suite('b', 1)] }
  const other = { suites: [suite('a', 2), suite('b', 2)] }
  t.same(fewest([one, other]), { suites: [suite('a', 2), suite('b', 1)] })
})

t.test('the table', async t => {
  const lines = [
    '| suite   | passed / all | whole |',
    '| ------- | ------------ | ----- |',
    '| a       | 2 / 2        | ✓     |',
    '| b       | 1 / 2        |       |',
    '| **all** | 3 / 4        |       |',
  ]
  t.equal(table(report), lines.join('\n'))
})
