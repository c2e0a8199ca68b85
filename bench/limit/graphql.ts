// The limit server for GraphQL: the list of S8 on one path for each way of answering it. `node limit/graphql.ts TARGET` sends
// its address to its parent process; TARGET is JSON.

import Fastify from 'fastify'
import mercurius from 'mercurius'
import { createJit } from './graphql-jit.ts'
import { openStatements } from './graphql-statements.ts'
import { createText } from './graphql-text.ts'
import { demandedHeaders } from './headers.ts'

const statements = openStatements(JSON.parse(process.argv[2]!))
const app = Fastify({ logger: false })
app.addHook('onRequest', (_request, reply, done) => {
  reply.headers(demandedHeaders)
  done()
})
for (const limitsNested of [false, true]) {
  const end = limitsNested ? '-nested' : ''
  app.register(async scope => {
    await scope.register(mercurius, { ...createJit(statements, limitsNested), path: `/jit${end}` })
  })
  app.register(async scope => {
    const answer = createText(statements, limitsNested)
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => done(null, body))
    scope.post<{ Body: string }>(`/text${end}`, async (request, reply) => {
      const text = await answer(request.body)
      return reply.header('content-type', 'application/json; charset=utf-8').send(text)
    })
  })
}
const address = await app.listen({ host: '127.0.0.1', port: 0 })
// A profile is written at exit, not when a signal kills the process.
process.on('SIGTERM', () => process.exit(0))
process.send?.({ address })
