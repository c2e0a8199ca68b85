// Twenty writers in two processes, all with one version: exactly one of them writes.

import { join } from 'node:path'
import { RunningProgram } from '@plinth/test-tools/command'
import t from 'tap'
import { fill, start } from './fixtures/boot.ts'

const writers = 20

t.test('of twenty writers with one version exactly one writes', async t => {
  const server = await start(t)
  const { app, of, database, send } = server
  await fill(server)
  const own = await app.listen({ host: '127.0.0.1', port: 0 })
  const program = new RunningProgram(
    t,
    [join(import.meta.dirname, 'fixtures/server.ts'), JSON.stringify(database.config)],
    {},
  )
  const other = await program.printed(/^(http\S+)$/m)
  const seo = { title: 'x', links: [{ label: 'a' }, { label: 'b' }] }
  for (const title of ['One', 'Two']) await of('article').create({ data: { title, seo, locale: 'en' } })
  const stored = (await of('article').findOne(1, { populate: { seo: { populate: '*' } } }))!
  const { id, links } = stored.seo as { readonly id: number; readonly links: readonly { readonly id: number }[] }

  /** Sends a request of each writer, and returns the statuses, and the place of the one that succeeded. */
  const race = async (method: string, path: string, dataOf: ((writer: number) => object) | null) => {
    const { headers } = await send('GET', path)
    const answers = await Promise.all(
      Array.from({ length: writers }, async (_, i) => {
        const body = dataOf === null ? {} : { body: JSON.stringify({ data: dataOf(i) }) }
        const answer = await fetch(`${i % 2 === 0 ? own : other}${path}`, {
          method,
          headers: { 'if-match': String(headers.etag), ...(dataOf && { 'content-type': 'application/json' }) },
          ...body,
        })
        await answer.text()
        return { status: answer.status, version: answer.headers.get('entry-version') }
      }),
    )
    const winners = answers.filter(one => one.status === 200)
    return { statuses: answers.map(one => one.status), winners, winner: answers.indexOf(winners[0]!) }
  }

  const races: readonly [name: string, path: string, dataOf: (writer: number) => object][] = [
    ['an attribute', '/api/articles/1', i => ({ title: `by ${i}` })],
    ['equal values', '/api/articles/1', () => ({ title: 'equal' })],
    ['an attribute again', '/api/articles/1', i => ({ title: `again by ${i}` })],
    ['the order of components', '/api/articles/1', i => ({ seo: { id, links: i % 2 ? links : [...links].reverse() } })],
    ['links', '/api/articles/1', i => ({ tags: i % 2 ? [1, 2] : [2, 1] })],
    ['a relation that the other side owns', '/api/authors/1', i => ({ articles: i % 2 ? [1, 2] : [2] })],
    ['publication', '/api/articles/2', i => ({ publishedAt: new Date(i).toISOString() })],
  ]
  for (const [name, path, dataOf] of races) {
    const { statuses, winners, winner } = await race('PUT', path, dataOf)
    t.equal(winners.length, 1, `${name}: ${statuses.join(' ')}`)
    t.equal(statuses.filter(one => one === 412).length, writers - 1, name)
    const { body, headers } = await send('GET', path)
    t.equal(String(headers.etag).slice(1, 33), winners[0]!.version, name)
    const { title, publishedAt } = dataOf(winner) as { readonly title?: string; readonly publishedAt?: string }
    if (title !== undefined) t.match(body.data.attributes, { title })
    if (publishedAt !== undefined) t.match(body.data.attributes, { publishedAt })
  }
  const { statuses, winners } = await race('DELETE', '/api/articles/2', null)
  t.equal(winners.length, 1, `a deletion: ${statuses.join(' ')}`)
  t.equal(statuses.filter(one => one === 404).length, writers - 1)
})
