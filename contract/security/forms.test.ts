/** Forms of both kinds are refused for the same content as JSON (security.md rows 26 to 29, 41 to 43 and 83). */

import t from 'tap'
import { boot, client } from '../boot.ts'
import { refused } from './refusal.ts'

const urlencoded = { 'content-type': 'application/x-www-form-urlencoded' }
const boundary = 'frontier'
const multipart = { 'content-type': `multipart/form-data; boundary=${boundary}` }

function encode(parts: readonly (readonly [name: string, value: string, filename?: string])[]): string {
  const heads = parts.map(([name, value, filename]) => {
    const file = filename === undefined ? '' : `; filename="${filename}"`
    return `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n${value}\r\n`
  })
  return `${heads.join('')}--${boundary}--\r\n`
}

t.test('forms', async t => {
  const api = client(await boot(t))
  await api.create('tags', { label: 'One' })
  const form = (text: string | Buffer) => api.post('/api/tags', text, urlencoded)
  const sent = (data: string) => api.post('/api/tags', encode([['data', data]]), multipart)

  t.test('security.md rows 26 and 41: prototypes, and invalid text', async t => {
    const before = Object.getOwnPropertyNames(Object.prototype).sort()
    for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty', '__defineGetter__'])
      refused(t, await form(`data[label]=x&data[${name}][polluted]=1`), 400, name)
    for (const bad of ['%ff', '%', '%ed%a0%80', 'a%00b']) {
      refused(t, await form(`data[label]=${bad}`), 400)
      refused(t, await form(`data[label]=x&data[${bad}]=1`), 400)
    }
    refused(t, await form(Buffer.from('data[label]=\xff', 'latin1')), 400)
    refused(t, await sent('{"label":"x","__proto__":{"polluted":1}}'), 400)
    for (const bad of ['\\u0000', '\\uD800', '\\udfff']) {
      refused(t, await sent(`{"label":"${bad}"}`), 400, 'label')
      refused(t, await api.post('/api/tags', `{"data":{"label":"${bad}"}}`), 400, 'label')
      refused(t, await api.post('/api/specimens', `{"data":{"payload":{"${bad}":[1]}}}`), 400, 'payload')
    }
    t.same(Object.getOwnPropertyNames(Object.prototype).sort(), before)
    t.notOk('polluted' in {})
  })

  t.test('security.md rows 28, 29, 42: too many, too deep, too large', async t => {
    refused(t, await form(`${'a=1&'.repeat(1000)}data[label]=x`), 400, /too many parameters/i)
    refused(t, await form(`data[label]=x&data[payload]${'[a]'.repeat(21)}=1`), 400)
    refused(t, await form(`data[label]=${'x'.repeat(60_000)}`), 413)
    refused(t, await sent(`{"label":"${'x'.repeat(2_000_000)}"}`), 413)
    refused(t, await sent(`{"payload":${'['.repeat(100)}${']'.repeat(100)}}`), 400)
  })

  t.test('security.md row 43: forms without an entry', async t => {
    for (const text of ['', 'label=x', 'data=x', 'data=', 'data[label=x'])
      refused(t, await form(text), 400, text === 'data[label=x' ? undefined : 'Missing')
    for (const text of ['', 'x', '"x"', 'null', '1', '[]']) refused(t, await sent(text), 400)
    refused(t, await api.post('/api/tags', encode([]), multipart), 400)
    refused(t, await api.post('/api/tags', encode([['label', 'x']]), multipart), 400, 'Missing')
  })

  t.test('security.md row 83: files and parts', async t => {
    const data = ['data', '{"label":"x"}'] as const
    const parts = Array.from({ length: 1001 }, (_, i) => [`p${i}`, 'x'] as const)
    refused(t, await api.post('/api/tags', encode([...parts, data]), multipart), 400)
    refused(
      t,
      await api.post('/api/tags', encode([data, ['files.cover', 'x', 'a.png']]), multipart),
      400,
      'files.cover',
    )
    refused(t, await api.post('/api/tags', encode([['files.cover', 'x'.repeat(9e6), '../a']]), multipart), 400)
    refused(t, await api.post('/api/tags', encode([data, ['cover', 'x', 'a.png']]), multipart), 400, /prefixing/)
    refused(t, await api.post('/api/tags', encode([data]).slice(0, -20), multipart), 400)
    refused(t, await api.post('/api/tags', encode([data]), { 'content-type': 'multipart/form-data' }), 400)
  })

  const kept = await api.list('/api/tags')
  t.same(
    kept.map(({ attributes }) => attributes.label),
    ['One'],
    'nothing was written',
  )
})
