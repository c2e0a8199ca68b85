// The tour in the README: each of its requests must have the response that is printed below it.

import { readFileSync } from 'node:fs'
import t from 'tap'
import { dir, openExample } from './fixtures/example.ts'

interface Stop {
  title: string
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  path: string
  body: string | undefined
  answer: unknown
}

/**
 * Reads the steps of the tour: a numbered heading, a `sh` block with a curl command, and a `json` block with its
 * response.
 */
export function parseTour(markdown: string): Stop[] {
  return markdown
    .split(/^## (?=\d+\. )/m)
    .slice(1)
    .map(section => {
      const title = section.slice(0, section.indexOf('\n'))
      const command = /```sh\n([\s\S]*?)```/.exec(section)?.[1] ?? ''
      const answer = /```json\n([\s\S]*?)```/.exec(section)?.[1] ?? ''
      const path = /'http:\/\/localhost:1337([^']*)'/.exec(command)?.[1] ?? ''
      const method = (/-X (\w+)/.exec(command)?.[1] ?? 'GET') as Stop['method']
      const body = /-d '([^']*)'/.exec(command)?.[1]
      return { title, method, path, body, answer: JSON.parse(answer) as unknown }
    })
}

const inOrder = (answer: unknown) => JSON.stringify(answer, null, 2)

const tour = parseTour(readFileSync(`${dir}README.md`, 'utf8'))

t.test('the tour', async t => {
  const { app, close } = await openExample()
  t.teardown(close)
  t.equal(tour.length, 10, 'it has ten stops')
  // One after the other, because later steps depend on earlier ones.
  for (const stop of tour) {
    const headers = stop.body === undefined ? {} : { 'content-type': 'application/json' }
    const reply = await app.inject({ method: stop.method, url: stop.path, headers, payload: stop.body })
    t.strictSame(reply.json(), stop.answer, stop.title)
    // The order of keys belongs to the format as well (B-3.3), and tap ignores it when it compares objects.
    t.equal(inOrder(reply.json()), inOrder(stop.answer), `${stop.title}: its keys in their order`)
  }
})
