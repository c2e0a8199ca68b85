// A connection that meets more statements than it keeps drops the oldest, and keeps those in use.

import Database from 'better-sqlite3'
import t from 'tap'
import type { PreparedText } from '../src/prepared.ts'
import { PreparedTexts } from '../src/prepared-texts.ts'
import { SqliteSession } from '../src/session.ts'

const statement = (text: string) => ({ text }) as unknown as PreparedText

const fill = (texts: PreparedTexts, names: readonly string[]) => {
  for (const name of names) texts.add(name, statement(name))
}

t.test('the oldest is dropped, one for each that is added', async t => {
  const texts = new PreparedTexts({ maxStatements: 3, maxLetters: 100 })
  fill(texts, ['a', 'b', 'c', 'd'])
  t.equal(texts.get('a'), undefined)
  for (const name of ['b', 'c', 'd']) t.ok(texts.get(name), name)
  // All were used, so the oldest of them is passed over and then dropped.
  fill(texts, ['e', 'f'])
  t.same(
    ['b', 'c', 'd', 'e', 'f'].map(name => texts.get(name) !== undefined),
    [false, false, true, true, true],
  )
})

t.test('a statement in use stays', async t => {
  const texts = new PreparedTexts({ maxStatements: 10, maxLetters: 1000 })
  fill(texts, ['used'])
  for (let i = 0; i < 100; i++) {
    t.ok(texts.get('used'), `after ${i} others`)
    fill(texts, [`other ${i}`])
  }
  t.notOk(texts.get('other 80'))
  t.ok(texts.get('other 99'))
})

t.test('the characters of all texts are bounded, and a text longer than that is there alone', async t => {
  const texts = new PreparedTexts({ maxStatements: 100, maxLetters: 1000 })
  const long = (name: string) => name.repeat(300)
  fill(texts, ['a', 'b', 'c', 'd'].map(long))
  t.same(
    ['a', 'b', 'c', 'd'].map(name => texts.get(long(name)) !== undefined),
    [false, true, true, true],
  )
  const longest = 'x'.repeat(2000)
  fill(texts, [longest])
  t.ok(texts.get(longest))
  t.notOk(texts.get(long('d')))
  fill(texts, ['short'])
  t.notOk(texts.get(longest))
  t.ok(texts.get('short'))
})

t.test('a session prepares a statement in use once, however many others come', async t => {
  const connection = new Database(':memory:')
  t.teardown(() => connection.close())
  const session = new SqliteSession(connection, 1000)
  const prepare = connection.prepare.bind(connection)
  let prepared = 0
  connection.prepare = ((text: string) => {
    if (text === 'SELECT 1') prepared++
    return prepare(text)
  }) as typeof connection.prepare
  for (let i = 0; i < 5000; i++) {
    session.all('SELECT 1', [])
    t.same(session.all(`SELECT ${i + 2}`, []), [[i + 2]])
  }
  t.equal(prepared, 1)
})
