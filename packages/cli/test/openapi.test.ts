// `plinth openapi` without its plugin, whose tests have the rest, and `plinth graphql schema`.

import t from 'tap'
import { application } from './application.ts'
import { plinth } from './plinth.ts'

t.test('without the plugin', async t => {
  const app = await application(t)
  t.match(await plinth(['openapi', '--dir', app.dir], app.env), {
    code: 1,
    out: '',
    err: /needs the plugin openapi: npm install @plinth\/openapi/,
  })
})

t.test('the schema of GraphQL', async t => {
  const app = await application(t)
  const { code, out, err } = await plinth(['graphql', 'schema', '--dir', app.dir], app.env)
  t.equal(code, 0, err)
  t.match(out, /^type Note \{\n {2}title: String\n/m)
  t.match(out, 'createNote(data: NoteInput!): NoteEntityResponse')
  t.notMatch(out, 'Subscription')
})
