// The limit server: hand-written code for exactly these requests, with prepared statements on Fastify, and without
// permissions, validation, hooks or plugins. `node limit/server.ts TARGET PLUGINS` sends its address to its parent process;
// both are JSON: without plugins it knows no drafts.

import Fastify, { type FastifyReply } from 'fastify'
import { demandedHeaders } from './headers.ts'
import { openLimit } from './limit.ts'
import { planOf } from './plan.ts'
import type { Created } from './requests.ts'

const [target, plugins] = process.argv.slice(2)
const limit = openLimit(JSON.parse(target!), plugins !== 'false')

const NOT_FOUND = '{"data":null,"error":{"status":404,"name":"NotFoundError","message":"Not Found","details":{}}}'

function answer(reply: FastifyReply, text: string | null): FastifyReply {
  reply.headers(demandedHeaders).header('content-type', 'application/json; charset=utf-8')
  if (text === null) reply.code(404)
  return reply.send(text ?? NOT_FOUND)
}

// The query string is read as text: `planOf` remembers it whole.
const app = Fastify({ logger: false, routerOptions: { querystringParser: text => ({ text }) } })
app.get<{ Querystring: { text: string } }>('/api/articles', async (request, reply) => {
  const plan = planOf(request.query.text)
  return answer(reply, await limit.lists[plan.kind](plan))
})
app.get<{ Params: { id: string } }>('/api/articles/:id', async (request, reply) =>
  answer(reply, await limit.findOne(Number(request.params.id))),
)
app.post<{ Body: { data: Created } }>('/api/articles', async (request, reply) =>
  answer(reply, await limit.create(request.body.data)),
)
app.put<{ Params: { id: string }; Body: { data: { views: number } } }>('/api/articles/:id', async (request, reply) =>
  answer(reply, await limit.update(Number(request.params.id), request.body.data)),
)
const address = await app.listen({ host: '127.0.0.1', port: 0 })
// A profile is written at exit, not when a signal kills the process.
process.on('SIGTERM', () => process.exit(0))
process.send?.({ address })
