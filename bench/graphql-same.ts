// Answers by GraphQL must say the same as those of the limit server, and as those of Plinth's REST API to the same question,
// before their speeds are compared.

import { findDifference, withoutEntryMeta, withoutNow } from './difference.ts'
import { OWN_FIELD, PUBLISHED_AT } from './graphql-scenarios.ts'
import type { Request, Scenario } from './scenarios.ts'
import type { Server } from './server.ts'

/** A server and what is sent to it. */
export interface Asked {
  readonly name: string
  readonly server: Server
  readonly scenario: Scenario
}

/** Numbers of requests that are compared if all of them differ. */
const COMPARED = [1, 2, 30, 777, 2499]

/** Throws an error if an answer says anything else than the answer of the first server. */
export async function requireEqual(asked: readonly Asked[]): Promise<void> {
  const [first, ...others] = asked
  const expected = await answersOf(first!)
  for (const other of others) {
    for (const [index, answer] of (await answersOf(other)).entries()) {
      const difference = findDifference(expected[index], answer)
      if (difference !== null) throw new Error(`${first!.name} and ${other.name}, request ${index}: ${difference}`)
    }
  }
}

async function answersOf({ server, scenario }: Asked): Promise<readonly unknown[]> {
  const answers: unknown[] = []
  for (const request of requestsOf(scenario)) answers.push(await answer(server, request))
  return answers
}

function requestsOf({ requests, numberedBody }: Scenario): readonly Request[] {
  const [first] = requests
  return numberedBody === undefined ? [first!] : COMPARED.map(number => ({ ...first!, body: numberedBody(number) }))
}

async function answer(server: Server, { path, ...request }: Request): Promise<unknown> {
  const response = await fetch(server.address + path, request)
  return { status: response.status, body: withoutNow(asRest(withoutEntryMeta(await response.json()))) }
}

/** An answer by GraphQL in the form of the REST API; other answers stay as they are. Ids are numbers there. */
function asRest(body: unknown): unknown {
  const { data } = body as { readonly data?: Readonly<Record<string, object>> }
  const root = data?.articles ?? data?.createArticle
  return plain(root === undefined ? body : { meta: {}, ...root })
}

function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  const members: Record<string, unknown> = {}
  for (const [key, member] of Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (key !== OWN_FIELD) members[key] = key === 'id' ? Number(member) : plain(member)
  }
  // GraphQL is sent the date; REST publishes now.
  if (members.publishedAt === PUBLISHED_AT) members.publishedAt = 'now'
  return members
}
