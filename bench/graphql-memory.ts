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

/** Sends the texts to a server that has answered `scenario` for a while. */
export async function measureMemory(server: Server, scenario: Scenario, way: Way): Promise<Memory> {
  // The heap grows for seconds until it has its size.
  await load(server, scenario, 2 * WARM_UP)
  const before = residentMebibytes(server.pid)
  for (let number = 0; number < TEXTS; number++) await send(server, differently[way](number))
  return { texts: TEXTS, before, after: residentMebibytes(server.pid) }
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
