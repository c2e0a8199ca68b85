// The limit: what a patient engineer reaches for these very requests with prepared statements on Fastify, without
// permissions, validation, hooks or plugins. `node limit/server.ts FILE DRAFTS` tells its parent the address it listens on.
import Database from 'better-sqlite3'
import Fastify, { type FastifyReply } from 'fastify'
import { planOf } from './plan.ts'
import { createReads } from './reads.ts'
import { type Created, createWrites } from './writes.ts'

const [filename, drafts] = process.argv.slice(2)
const database = new Database(filename)
database.pragma('journal_mode = WAL')
database.pragma('synchronous = NORMAL')
database.pragma(`mmap_size = ${2 ** 28}`)
database.pragma('cache_size = -65536')
database.pragma('temp_store = MEMORY')
const reads = createReads(database, drafts === '1')
const writes = createWrites(database, drafts === '1')

const NOT_FOUND = '{"data":null,"error":{"status":404,"name":"NotFoundError","message":"Not Found","details":{}}}'

function answer(reply: FastifyReply, text: string | null): FastifyReply {
  reply.header('content-type', 'application/json; charset=utf-8')
  if (text === null) reply.code(404)
  return reply.send(text ?? NOT_FOUND)
}

// The query string is read as text: `planOf` remembers it whole.
const app = Fastify({ logger: false, routerOptions: { querystringParser: text => ({ text }) } })
app.get<{ Querystring: { text: string } }>('/api/articles', async (request, reply) => {
  const plan = planOf(request.query.text)
  return answer(reply, reads.lists[plan.kind](plan))
})
app.get<{ Params: { id: string } }>('/api/articles/:id', async (request, reply) =>
  answer(reply, reads.findOne(Number(request.params.id))),
)
app.post<{ Body: { data: Created } }>('/api/articles', async (request, reply) => {
  const text = writes.create(request.body.data)
  reads.forgetTotal()
  return answer(reply, text)
})
app.put<{ Params: { id: string }; Body: { data: { views: number } } }>('/api/articles/:id', async (request, reply) =>
  answer(reply, writes.update(Number(request.params.id), request.body.data)),
)
const address = await app.listen({ host: '127.0.0.1', port: 0 })
// A profile is written at exit, not when a signal kills the process.
process.on('SIGTERM', () => process.exit(0))
process.send?.({ address })
