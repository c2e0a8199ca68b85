// The lines of a terminal about requests: what each says, and what it never says.

import { definePlugin, type ListSearch } from '@plinth/kernel'
import t, { type Test } from 'tap'
import { plainLog, type RequestLinesOptions, requestLines } from '../src/index.ts'
import { readableUrl, shapeOf } from '../src/terminal/request-text.ts'
import { open, type } from './fixtures/open.ts'

const contentTypes = [type('tag', { label: { type: 'string' }, secret: { type: 'string', private: true } })]

const routes = definePlugin({
  name: 'routes',
  register: ({ kernel }) =>
    kernel.hooks.on('onMount', app => {
      const tags = () => kernel.query('api::tag.tag')
      app.get('/tags', async () => tags().findMany({ sort: 'label', pagination: { limit: 2, withCount: false } }))
      app.get('/thrice', async () => {
        for (let i = 0; i < 3; i++) await tags().findMany()
        return 'thrice'
      })
      app.get('/remark', async request => {
        kernel.hooks.onRemark?.('the first', kernel.context(kernel.auth.anonymous, request))
        kernel.hooks.onRemark?.('the second\n\u001b[31m', kernel.context(kernel.auth.anonymous, request))
        return 'remark'
      })
      app.post('/fails', async request => {
        request.log.error(new Error('of a library'), 'of a library')
        throw new Error('of a library')
      })
      app.get('/teapot', async () => {
        throw Object.assign(new Error('no tea'), { statusCode: 418 })
      })
    }),
})

/** A server that prints lines into a list. Colours are left out, because tests have no terminal. */
async function lines(t: Test, options: RequestLinesOptions = {}, logger: object = { level: 'silent' }) {
  const printed: string[] = []
  const print = (line: string) => void printed.push(line)
  const plugins = { routes: { plugin: routes }, 'request-lines': { plugin: requestLines({ print, ...options }) } }
  const app = await open(t, { contentTypes, plugins, logger: logger as never })
  const ask = async (url: string, method: 'GET' | 'POST' = 'GET') => {
    printed.length = 0
    const answer = await app.inject({ url, method })
    // The answer is there before its line.
    while (printed.length === 0) await new Promise(resolve => setImmediate(resolve))
    await new Promise(resolve => setImmediate(resolve))
    return { printed: [...printed], answer }
  }
  return { app, ask, printed }
}

t.test('method, path, status, time and statements', async t => {
  const { ask } = await lines(t)
  t.match((await ask('/tags')).printed, [/^GET \/tags 200 \d+ ms, 1 statement$/])
  t.match((await ask('/thrice?a[b]=1')).printed, [/^GET \/thrice\?a\[b\]=1 200 \d+ ms, 3 statements$/])
  t.match((await ask('/nothing')).printed, [
    /^GET \/nothing 404 \d+ ms, 0 statements$/,
    /^ {2}404: no route has this path$/,
  ])
  t.match((await ask('/tgas/1')).printed[1], /^ {2}404: no route has this path, did you mean "tags"\?$/)
})

t.test('remarks and reasons stand below, harmless for a terminal', async t => {
  const { ask } = await lines(t)
  t.match((await ask('/remark')).printed, [/ 200 /, /^ {2}the first$/, /^ {2}the second\n {4}\\x1b\[31m$/])
  t.match((await ask('/teapot')).printed, [/ 418 /, /^ {2}418: no tea$/])
  const { printed } = await ask('/fails', 'POST')
  t.match(printed, [/^POST \/fails 500 /])
  t.equal(printed.length, 1, 'faults of the server are in the log')
})

t.test('what takes long is printed with its statement and the missing index', async t => {
  const asked: ListSearch[] = []
  const advise = async (_kernel: unknown, search: ListSearch) => {
    asked.push(search)
    return 'an index on label'
  }
  const { ask } = await lines(t, { slowAfter: 0, advise })
  const { printed } = await ask('/tags')
  t.match(printed[1], /^ {2}\d+ ms of SQL: SELECT .*tags.* ORDER BY /)
  t.equal(printed[2], '  an index is missing: an index on label')
  t.match(asked, [{ type: { uid: 'api::tag.tag' }, sort: [{ path: ['label'] }] }])
  const { ask: askQuick } = await lines(t, { slowAfter: 1e9, advise })
  t.equal((await askQuick('/tags')).printed.length, 1)
})

t.test('the log names the request of an error', async t => {
  const records: Record<string, unknown>[] = []
  const stream = { write: (record: string) => void records.push(JSON.parse(record)) }
  const { ask } = await lines(t, {}, { level: 'error', stream })
  await ask('/fails?token=abc', 'POST')
  t.match(records[0], { at: 'POST /fails?token=[redacted]', msg: 'of a library' })
  const written: string[] = []
  const { write } = process.stderr
  process.stderr.write = ((text: string) => written.push(text)) as never
  plainLog('error').stream.write(JSON.stringify({ ...records[0], at: 'POST /fails\n' }))
  process.stderr.write = write
  t.match(written.join(''), /^error: POST \/fails\n {4}: Error: of a library\n {4}at /)
})

t.test('texts', async t => {
  t.equal(readableUrl('/a?filters%5Bb%5D=%C3%A4'), '/a?filters[b]=ä')
  t.equal(readableUrl('/a?x=%E0%A4%A'), '/a?x=%E0%A4%A', 'an escape that is not valid')
  t.notMatch(readableUrl('/a?access_token=abc&jwt%3D=def'), /abc/)
  t.equal(shapeOf('SELECT  a\nFROM b WHERE c IN (?, ?, ?, ?) AND d = ?'), 'SELECT a FROM b WHERE c IN (?, …) AND d = ?')
  t.equal(shapeOf('IN ($1, $2, $3)'), 'IN ($1, …)')
})
