/**
 * Prepared statements behind a pooler that keeps them, as PgBouncer does from version 1.21 on: each text has one name on
 * all server connections, and is prepared on a server connection when a client that knows it first uses it there.
 */

import { createHash } from 'node:crypto'
import { type Message, message, textAt } from './wire.ts'

/** The statements of a server connection. */
export interface ServerStatements {
  readonly names: Set<string>
  /** For each answer that is awaited to a Parse, Bind or Close: whether the client must not see it. */
  readonly isHidden: boolean[]
}

/** The statements that a client has prepared, by its names for them. */
export type ClientStatements = Map<string, { readonly name: string; readonly rest: Buffer }>

/** Returns the messages that are sent to the server for a message of a client. */
export function translate(sent: Message, client: ClientStatements, server: ServerStatements): Buffer[] {
  const { type, bytes } = sent
  if (type === 'P') {
    const [name, next] = textAt(bytes, 5)
    if (name === '') return expecting(server, [bytes, false])
    const rest = bytes.subarray(next)
    const statement = { name: `pooled_${createHash('sha1').update(rest).digest('hex')}`, rest }
    client.set(name, statement)
    return prepare(server, statement, false)
  }
  if (type === 'B') {
    const [portal, at] = textAt(bytes, 5)
    const [name, next] = textAt(bytes, at)
    const statement = client.get(name)
    if (statement === undefined) return expecting(server, [bytes, false])
    const isThere = server.names.has(statement.name)
    const bind = message('B', portal, statement.name, bytes.subarray(next))
    return [...(isThere ? [] : prepare(server, statement, true)), ...expecting(server, [bind, false])]
  }
  if (type === 'C') {
    client.delete(textAt(bytes, 6)[0])
    // Others may use the statement of the server.
    return expecting(server, [message('C', Buffer.from('S'), 'pooled_none'), false])
  }
  return [bytes]
}

function prepare(
  server: ServerStatements,
  { name, rest }: { name: string; rest: Buffer },
  isHidden: boolean,
): Buffer[] {
  server.names.add(name)
  return expecting(server, [message('C', Buffer.from('S'), name), true], [message('P', name, rest), isHidden])
}

function expecting(server: ServerStatements, ...all: readonly (readonly [Buffer, boolean])[]): Buffer[] {
  server.isHidden.push(...all.map(([, isHidden]) => isHidden))
  return all.map(([bytes]) => bytes)
}
