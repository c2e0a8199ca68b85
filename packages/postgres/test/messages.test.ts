// The messages that are sent to PostgreSQL, byte by byte.

import assert from 'node:assert/strict'
import t from 'tap'
import { MessageWriter } from '../src/messages.ts'

/** Splits a buffer into messages: the type and the content of each. */
function split(sent: Buffer): [type: string, content: Buffer][] {
  const found: [string, Buffer][] = []
  for (let at = 0; at < sent.length; ) {
    const length = sent.readInt32BE(at + 1)
    found.push([String.fromCharCode(sent[at]!), sent.subarray(at + 5, at + 1 + length)])
    at += 1 + length
  }
  return found
}

/** The values of a Bind message, as the server reads them. */
function valuesOf(content: Buffer): (string | Buffer | null)[] {
  let at = content.indexOf(0, 1) + 1
  const count = content.readUInt16BE(at)
  const formats = Array.from({ length: count }, (_, i) => content.readUInt16BE(at + 2 + 2 * i))
  at += 4 + 2 * count
  const values = formats.map(format => {
    const length = content.readInt32BE(at)
    at += 4
    if (length === -1) return null
    const value = content.subarray(at, at + length)
    at += length
    return format === 1 ? value : value.toString()
  })
  t.equal(content.readUInt16BE(at), 0, 'all results are text')
  t.equal(at + 2, content.length, 'nothing else follows')
  return values
}

t.test('a run: close, parse, bind, describe, execute, sync', t => {
  const writer = new MessageWriter()
  writer.close('s1')
  writer.parse('s2', 'SELECT $1')
  writer.bind('s2', ['a'])
  writer.describe()
  writer.execute()
  writer.sync()
  const sent = split(writer.take())
  t.same(
    sent.map(([type]) => type),
    ['C', 'P', 'B', 'D', 'E', 'S'],
  )
  t.same(
    sent.map(([, content]) => content.toString('latin1')),
    ['Ss1\0', 's2\0SELECT $1\0\0\0', '\0s2\0\0\u0001\0\0\0\u0001\0\0\0\u0001a\0\0', 'P\0', '\0\0\0\0\0', ''],
  )
  t.equal(writer.take().length, 0, 'what was taken is gone')
  t.end()
})

t.test('values of all kinds and sizes', t => {
  const writer = new MessageWriter()
  const long = 'ä€😀x'.repeat(20_000)
  const bytes = Buffer.from([0, 1, 255])
  const given = ['', 'plain', 'ä', '€'.repeat(31), '😀'.repeat(40), long, null, 1.5, -7, true, 2n ** 60n, bytes]
  for (const round of [1, 2]) {
    writer.bind('', [...given, [1, 2], ['a"b', 'c\\d', null]] as never)
    writer.sync()
    const [[, content] = ['', Buffer.alloc(0)]] = split(writer.take())
    const expected = given.map(one => (one === null || Buffer.isBuffer(one) ? one : String(one)))
    t.same(valuesOf(content), [...expected, '{1,2}', '{"a\\"b","c\\\\d",NULL}'], `round ${round}`)
  }
  t.end()
})

t.test('a run that failed leaves nothing', t => {
  const writer = new MessageWriter()
  const bad = { toString: () => assert.fail('no text') }
  t.throws(() => writer.bind('', ['some', bad as never]), { message: 'no text' })
  t.throws(
    () => writer.bind('', new Array(65_536).fill(1)),
    { code: 'PLINTH_STATEMENT_VALUES' },
    'more values than a message can have',
  )
  writer.clear()
  writer.sync()
  t.same(split(writer.take()), [['S', Buffer.alloc(0)]])
  t.end()
})

t.test('a message that was taken does not change with the next one', t => {
  const writer = new MessageWriter()
  writer.bind('', ['first'])
  const first = writer.take()
  writer.bind('', ['other'])
  writer.take()
  t.ok(first.includes('first'))
  t.end()
})
