// What columns of JSON hold is copied into answers only if it is JSON.

import t from 'tap'
import { CheckedTexts } from '../../src/sql/checked-texts.ts'
import { storedJson } from '../../src/sql/json.ts'

/** Texts of the same length that differ in one character, and so in few of those that choose a place. */
const textsLike = (length: number) =>
  Array.from({ length }, (_, at) => JSON.stringify(`${'a'.repeat(at)}b${'a'.repeat(length - at)}`))

t.test('texts that are JSON are copied, and others are quoted, at the first time and later', async t => {
  const long = JSON.stringify({ text: 'x'.repeat(100_000) })
  for (let time = 0; time < 3; time++) {
    for (const text of ['{"a":1}', '[]', 'null', '1', '"a"', ' {"a": 1} ', long]) t.equal(storedJson(text), text)
    for (const text of ['', '{a:1}', 'nul', '[1.]', '{"a":1', `${long},`])
      t.equal(storedJson(text), JSON.stringify(text))
  }
})

t.test('a text like one that is JSON is checked by itself', async t => {
  for (const text of textsLike(400)) {
    t.equal(storedJson(text), text)
    // Only the last character, the closing quote, is missing.
    const broken = `${text.slice(0, -1)}a`
    t.equal(storedJson(broken), JSON.stringify(broken))
  }
})

t.test('only texts that were added are found', async t => {
  const checked = new CheckedTexts({ maxLetters: 1_000_000, maxLettersOfOne: 1000 })
  const texts = textsLike(500)
  t.notOk(texts.some(text => checked.has(text)))
  for (const text of texts) {
    checked.add(text)
    t.ok(checked.has(text), 'a text that was added is there')
    t.notOk(checked.has(`${text} `))
  }
  const there = texts.filter(text => checked.has(text)).length
  t.ok(there > 20, `texts with the same places drop each other, others do not: ${there} of 500`)
})

t.test('the texts are bounded by their characters', async t => {
  const checked = new CheckedTexts({ maxLetters: 10_000, maxLettersOfOne: 1000 })
  const texts = Array.from({ length: 200 }, (_, at) => `${at} `.repeat(250).slice(0, 500))
  for (const text of texts) checked.add(text)
  const there = texts.filter(text => checked.has(text))
  t.ok(there.length <= 20, `${there.length} of 500 characters each`)
  t.ok(there.length > 10, `${there.length}: no more are dropped than necessary`)
  checked.add('x'.repeat(1001))
  t.notOk(checked.has('x'.repeat(1001)))
  for (let time = 0; time < 100; time++) {
    const text = `late ${time}`
    checked.add(text)
    t.ok(checked.has(text) || checked.has(`late ${time - 1}`), 'what is added later has room')
  }
})
