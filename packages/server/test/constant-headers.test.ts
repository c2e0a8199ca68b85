// The class of responses that writes constant headers as one text is used only if Node writes the same heads with it. What
// the heads of answers are is tested with the REST API (packages/rest/test/constant-headers.test.ts).

import { ServerResponse } from 'node:http'
import t from 'tap'
import { ConstantHeaders, writesTheSame } from '../src/constant-headers.ts'

t.test('this release of Node writes the same heads', async t => {
  t.ok(writesTheSame(), process.version)
})

t.test('a release of Node that makes heads in another way keeps its own class', async t => {
  const prototype = ServerResponse.prototype as unknown as Record<string, (line: string, headers: object) => void>
  const store = prototype._storeHeader!
  t.teardown(() => {
    prototype._storeHeader = store
  })
  prototype._storeHeader = function storeFirstLine(line, headers) {
    store.call(this, `${line.split('\r\n')[0]}\r\n`, headers)
  }
  t.notOk(writesTheSame(), 'only the status line is taken from the text')
  prototype._storeHeader = () => {
    throw new Error('another signature')
  }
  t.notOk(writesTheSame(), 'the method throws')
})

t.test('only headers that begin with the constant ones are shortened', async t => {
  const constant = new ConstantHeaders()
  constant.declare({ a: '1', b: '2' })
  t.equal(constant.text, 'a: 1\r\nb: 2\r\n')
  t.same(constant.after({ a: '1', b: '2', c: '3' }), { c: '3' })
  t.same(constant.after({ a: '1', b: '2' }), {})
  for (const other of [{}, { a: '1' }, { b: '2', a: '1' }, { c: '3', a: '1', b: '2' }, { a: '1', b: '3' }])
    t.equal(constant.after(other), null, JSON.stringify(other))
  t.equal(constant.after({ a: '1', b: 2 }), null, 'a number is not the text')
})

t.test('headers that Node interprets, refuses or encodes are not written as text', async t => {
  const others: Readonly<Record<string, string>> = {
    connection: 'close',
    'content-length': '1',
    'x-name': 'Zoë',
    'x-lines': 'a\r\nb: c',
    'not a name': '1',
  }
  for (const [name, value] of Object.entries(others)) {
    const constant = new ConstantHeaders()
    constant.declare({ a: '1', [name]: value })
    t.equal(constant.text, '', name)
  }
})
