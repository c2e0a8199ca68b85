/**
 * A stand-in for PgBouncer, for machines that do not have it: speaks PostgreSQL's protocol and gives each transaction,
 * each statement or each client a server connection. Like PgBouncer before 1.21 it knows no prepared statements, unless it
 * is told to; unlike PgBouncer it carries no setting of a client over to another server connection.
 */

import { randomInt } from 'node:crypto'
import { connect, createServer, type Socket } from 'node:net'
import pg from 'pg'
import { type ClientStatements, type ServerStatements, translate } from './statements.ts'
import { fatal, type Message, Messages, message, textAt } from './wire.ts'

export interface PoolerOptions {
  readonly mode: 'session' | 'transaction' | 'statement'
  /** The maximum number of server connections of a database and user; 5. */
  readonly size?: number
  /** True if statements that a client has prepared are there on each server connection. False by default. */
  readonly keepsStatements?: boolean
  /** The idle server connection that is given next: the one used last (the default), or first. */
  readonly gives?: 'last' | 'first'
}

/** A server as poolers reach it. */
export interface PooledServer {
  readonly host: string
  readonly port: number
  readonly password: string
}

const sslRequest = 80_877_103
const cancelRequest = 80_877_102

/** The state of a server that is ready and in no transaction. */
const idle = 'I'.charCodeAt(0)

/** A connection to the server. */
interface Server extends ServerStatements {
  readonly stream: Socket
  readonly processId: number
  readonly secretKey: number
  readonly parameters: ReadonlyMap<string, string>
  client: PooledClient | null
}

/** The server connections of a database and user. */
class ServerPool {
  readonly #open: () => Promise<Server>
  readonly #options: PoolerOptions
  readonly #idle: Server[] = []
  readonly #waiting: ((server: Promise<Server>) => void)[] = []
  readonly all = new Set<Server>()
  #count = 0

  constructor(open: () => Promise<Server>, options: PoolerOptions) {
    this.#open = open
    this.#options = options
  }

  /**
   * Returns the parameters that a server sends when a client has logged in; only the first client waits for a server
   * connection.
   */
  async parameters(): Promise<ReadonlyMap<string, string>> {
    const [any] = this.all
    if (any !== undefined) return any.parameters
    const server = await this.acquire()
    this.release(server)
    return server.parameters
  }

  async acquire(): Promise<Server> {
    const idle = this.#options.gives === 'first' ? this.#idle.shift() : this.#idle.pop()
    if (idle !== undefined) return idle
    if (this.#count < (this.#options.size ?? 5)) return this.#add()
    return new Promise(resolve => this.#waiting.push(resolve))
  }

  async #add(): Promise<Server> {
    this.#count++
    const server = await this.#open()
    this.all.add(server)
    server.stream.once('close', () => this.#remove(server))
    return server
  }

  release(server: Server): void {
    server.client = null
    const next = this.#waiting.shift()
    if (next === undefined) this.#idle.push(server)
    else next(Promise.resolve(server))
  }

  #remove(server: Server): void {
    this.all.delete(server)
    this.#count--
    if (this.#idle.includes(server)) this.#idle.splice(this.#idle.indexOf(server), 1)
    server.client?.socket.destroy()
    this.#waiting.shift()?.(this.#add())
  }
}

/** A client's connection. */
class PooledClient {
  readonly socket: Socket
  readonly key = [randomInt(2 ** 31), randomInt(2 ** 31)] as const
  readonly #pool: ServerPool
  readonly #options: PoolerOptions
  readonly #statements: ClientStatements = new Map()
  readonly #unsent: Message[] = []
  server: Server | null = null
  #isWaiting = false
  /** The number of times that the server will say that it is ready. */
  #awaited = 0

  constructor(socket: Socket, pool: ServerPool, options: PoolerOptions) {
    this.socket = socket
    this.#pool = pool
    this.#options = options
    // A transaction ends with its client; a session of the server is not given to others either.
    socket.once('close', () => this.server?.stream.destroy())
  }

  async greet(): Promise<void> {
    const parameters = await this.#pool.parameters()
    const statuses = [...parameters].map(([name, value]) => message('S', name, value))
    this.socket.write(
      Buffer.concat([message('R', 0), ...statuses, message('K', ...this.key), message('Z', Buffer.from('I'))]),
    )
  }

  async receive(sent: Message): Promise<void> {
    if (sent.type === 'X') return void this.socket.end()
    this.#unsent.push(sent)
    if (this.#isWaiting) return
    if (this.server === null) {
      this.#isWaiting = true
      const server = await this.#pool.acquire()
      this.#isWaiting = false
      if (this.socket.destroyed) return this.#pool.release(server)
      server.client = this
      this.server = server
    }
    this.#send(this.server)
  }

  #send(server: Server): void {
    for (const sent of this.#unsent.splice(0)) {
      if (sent.type === 'S' || sent.type === 'Q') this.#awaited++
      const all = this.#options.keepsStatements === true ? translate(sent, this.#statements, server) : [sent.bytes]
      server.stream.write(Buffer.concat(all))
    }
  }

  /** Hands an answer of the server to the client. */
  answer({ type, bytes }: Message, server: Server): void {
    const isHidden = /[123]/.test(type) && server.isHidden.shift() === true
    // The server skips all messages after an error: no statement counts as prepared.
    if (type === 'E') server.names.clear()
    if (type === 'Z' && this.#options.mode === 'statement' && bytes[5] !== idle)
      return void this.socket.end(fatal('transaction blocks not allowed in statement pooling mode'))
    if (!isHidden) this.socket.write(bytes)
    if (type !== 'Z') return
    server.isHidden.length = 0
    if (--this.#awaited > 0 || bytes[5] !== idle || this.#options.mode === 'session') return
    this.server = null
    this.#pool.release(server)
  }
}

export interface Pooler {
  readonly port: number
  /** The number of connections to the server. */
  readonly servers: number
  close(): Promise<void>
}

/** Starts a pooler before a server, at a free port of this machine. */
export async function startPooler(target: PooledServer, options: PoolerOptions): Promise<Pooler> {
  const pools = new Map<string, ServerPool>()
  const clients = new Set<PooledClient>()
  const sockets = new Set<Socket>()
  const begin = ({ bytes }: Message, socket: Socket): PooledClient | null => {
    const code = bytes.readInt32BE(4)
    if (code === sslRequest) socket.write('N')
    else if (code === cancelRequest) {
      const server = [...clients].find(({ key }) => key[1] === bytes.readInt32BE(12))?.server
      if (server != null) cancel(target, server)
      socket.end()
    } else {
      const { user, database } = startupOf(bytes)
      const name = `${user} ${database}`
      const pool = pools.get(name) ?? new ServerPool(() => openServer({ ...target, user, database }), options)
      pools.set(name, pool)
      const client = new PooledClient(socket, pool, options)
      clients.add(client)
      socket.once('close', () => clients.delete(client))
      client.greet().catch(error => socket.end(fatal(String((error as Error).message))))
      return client
    }
    return null
  }
  const listener = createServer(socket => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    socket.on('error', () => {})
    const messages = new Messages(false)
    let client: PooledClient | null = null
    socket.on('data', chunk => {
      for (const one of messages.take(chunk)) {
        if (client !== null) client.receive(one).catch(() => socket.destroy())
        else {
          client = begin(one, socket)
          messages.isTyped = client !== null
        }
      }
    })
  })
  await new Promise<void>(resolve => listener.listen(0, '127.0.0.1', resolve))
  const servers = () => [...pools.values()].flatMap(({ all }) => [...all])
  return {
    port: (listener.address() as { port: number }).port,
    get servers() {
      return servers().length
    },
    async close() {
      const closed = new Promise(resolve => listener.close(resolve))
      for (const socket of sockets) socket.destroy()
      for (const { stream } of servers()) stream.destroy()
      await closed
    },
  }
}

/** The user and the database that a client asks for. */
function startupOf(bytes: Buffer): { user: string; database: string } {
  const values = new Map<string, string>()
  for (let at = 8; bytes[at] !== 0; ) {
    const [name, next] = textAt(bytes, at)
    const [value, end] = textAt(bytes, next)
    values.set(name, value)
    at = end
  }
  const user = values.get('user')!
  return { user, database: values.get('database') ?? user }
}

/** The parts of pg's client that are taken over when it has logged in. */
type LoggedIn = pg.Client & {
  readonly connection: { readonly stream: Socket; on(event: string, listener: (one: never) => void): void }
  readonly processID: number
  readonly secretKey: number
}

/** Opens a connection to the server by pg, which knows all ways to log in. */
async function openServer(address: PooledServer & { user: string; database: string }): Promise<Server> {
  const login = new pg.Client(address) as LoggedIn
  const parameters = new Map<string, string>()
  login.connection.on('parameterStatus', ({ parameterName, parameterValue }: Record<string, string>) =>
    parameters.set(parameterName!, parameterValue!),
  )
  login.on('error', () => {})
  await login.connect()
  const { stream } = login.connection
  stream.removeAllListeners('data')
  const server: Server = {
    stream,
    processId: login.processID,
    secretKey: login.secretKey,
    parameters,
    client: null,
    names: new Set(),
    isHidden: [],
  }
  const messages = new Messages(true)
  stream.on('data', chunk => {
    for (const one of messages.take(chunk)) server.client?.answer(one, server)
  })
  return server
}

/** Cancels the statement that runs on a server connection. */
function cancel({ host, port }: PooledServer, { processId, secretKey }: Server): void {
  const bytes = Buffer.alloc(16)
  for (const [i, value] of [16, cancelRequest, processId, secretKey].entries()) bytes.writeInt32BE(value, i * 4)
  const socket = connect({ host, port })
  socket.on('error', () => {})
  socket.end(bytes)
}
