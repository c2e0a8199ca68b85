// Measures how much memory operations take that are sent once each: Plinth keeps what it has read of them, in caches that
// are bounded.

import { LIST_TEXT, post } from './graphql-scenarios.ts'
import { load } from './load.ts'
import { WARM_UP } from './options.ts'
import type { Scenario } from './scenarios.ts'
import { residentMebibytes, type Server } from './server.ts'

const TEXTS = 1000

/** Attributes that some texts do not ask for. */
const LEFT_OUT = ['slug', 'summary', 'body', 'kind', 'rating', 'views', 'featured', 'publishedOn', 'extra', 'bio']

/** Texts by their number: each has another name of the list, or in addition another set of attributes. */
export const differently = {
  'by a name': (number: number) => named(LIST_TEXT, number),
  'by a name and attributes': (number: number) => named(withoutSome(number), number),
} as const
export type Way = keyof typeof differently

export interface Memory {
  readonly texts: number
  /** MiB. */
  readonly before: number
  readonly after: number
}

/** Sends the texts to a server whose heap has the size that it has under load. */
export async function measureMemory(server: Server, scenario: Scenario, way: Way): Promise<Memory> {
  await settle(server, scenario)
  const before = residentMebibytes(server.pid)
  for (let number = 0; number < TEXTS; number++) await send(server, differently[way](number))
  return { texts: TEXTS, before, after: residentMebibytes(server.pid) }
}

/** Clients that send requests until the memory has its size. */
const clients = 200
/** Most steps of load until then, and the growth in MiB of the last one. */
const maxSteps = 15
const littleGrowth = 2

/**
 * Loads a server until its memory grows no more, which takes about a minute. V8 enlarges the young generation by 64 MiB
 * when enough of what requests allocated has survived its collections. That happens early with many clients. With few
 * it happens at any time, also while the texts are sent, of which it would say nothing.
 */
async function settle(server: Server, scenario: Scenario): Promise<void> {
  let before = 0
  for (let step = 0; step < maxSteps; step++) {
    await load(server, scenario, { seconds: 2 * WARM_UP, connections: clients })
    const now = residentMebibytes(server.pid)
    if (now - before < littleGrowth) return
    before = now
  }
}

async function send(server: Server, text: string): Promise<void> {
  const { path, ...request } = post('/graphql', text)
  const response = await fetch(server.address + path, request)
  const answer = await response.text()
  if (response.status !== 200 || answer.includes('"errors"')) throw new Error(`${text}: ${answer.slice(0, 300)}`)
}

function named(text: string, number: number): string {
  return text.replace('articles', `list${number}: articles`)
}

function withoutSome(number: number): string {
  const left = LEFT_OUT.filter((_, bit) => (number & (1 << bit)) !== 0)
  return left.reduce((text, name) => text.replace(` ${name} `, ' '), LIST_TEXT)
}
