// Measures variants of Plinth in turn. All servers run at the same time and are loaded in short turns, so that other load
// on the machine affects all of them equally. They are restarted several times, because two processes of the same program
// differ by some percent as long as they run. Knows no plugins.

import { load, type Sample } from './load.ts'
import { WARM_UP } from './options.ts'
import type { Scenario } from './scenarios.ts'
import type { Server } from './server.ts'

/** Rounds of each sitting, the seconds of a round, and how often the servers are started. */
export const ROUNDS = Number(process.env.RUNS ?? 4)
export const ROUND_SECONDS = Number(process.env.SECS ?? 1)
export const SITTINGS = Number(process.env.SITTINGS ?? 5)

/** One server of a comparison. */
export interface Variant<Name extends string> {
  readonly name: Name
  start(): Promise<Server>
  /** The scenario as it is sent to this server. Its callers have a token of their own, for example. */
  readonly scenario: Scenario
}

/** One round: each server is loaded once. */
export type Round<Name extends string> = Readonly<Record<Name, Sample>>

/** All rounds of all sittings. */
export async function measureInTurn<Name extends string>(
  variants: readonly Variant<Name>[],
): Promise<readonly Round<Name>[]> {
  const rounds: Round<Name>[] = []
  for (let sitting = 0; sitting < SITTINGS; sitting++) {
    const first = sitting % variants.length
    rounds.push(...(await sit([...variants.slice(first), ...variants.slice(0, first)])))
  }
  return rounds
}

/** Starts the servers in this order and loads them in turn. */
async function sit<Name extends string>(order: readonly Variant<Name>[]): Promise<readonly Round<Name>[]> {
  const servers = new Map<Name, Server>()
  try {
    for (const { name, start, scenario } of order) {
      const server = await start()
      servers.set(name, server)
      await load(server, scenario, { seconds: WARM_UP })
    }
    const rounds: Round<Name>[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const found = new Map<Name, Sample>()
      // Every second round is in reverse order.
      for (const { name, scenario } of round % 2 === 0 ? order : order.toReversed())
        found.set(name, await load(servers.get(name)!, scenario, { seconds: ROUND_SECONDS }))
      rounds.push(Object.fromEntries(found) as Round<Name>)
      const times = [...found].map(([name, sample]) => `${name} ${Math.round(sample.cpuMicroseconds)}`)
      console.error(`${order[0]!.scenario.key}: CPU µs ${times.join(', ')}`)
    }
    return rounds
  } finally {
    for (const server of servers.values()) await server.stop()
  }
}

/** Requests per second of one variant divided by those of another: the median, and the limits of the middle half. */
export function speedRatio<Name extends string>(rounds: readonly Round<Name>[], of: Name, than: Name): string {
  const values = rounds.map(round => round[of].requestsPerSecond / round[than].requestsPerSecond)
  return `**${quantile(values, 0.5).toFixed(2)}** (${quantile(values, 0.25).toFixed(2)}–${quantile(values, 0.75).toFixed(2)})`
}

/** CPU time per request of one variant divided by that of another. */
export function timeRatio<Name extends string>(rounds: readonly Round<Name>[], of: Name, than: Name): string {
  return (leastTime(rounds, of) / leastTime(rounds, than)).toFixed(2)
}

/** CPU times per request of the variants, in microseconds, as a cell. */
export function times<Name extends string>(rounds: readonly Round<Name>[], names: readonly Name[]): string {
  return names.map(name => Math.round(leastTime(rounds, name)).toLocaleString('en')).join(', ')
}

/** The tenth percentile of the CPU times of rounds: other load can only increase a CPU time. */
function leastTime<Name extends string>(rounds: readonly Round<Name>[], name: Name): number {
  return quantile(
    rounds.map(round => round[name].cpuMicroseconds),
    0.1,
  )
}

/** The value below which a part of the values is. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (sorted.length - 1) * part
  const [low, high] = [sorted[Math.floor(at)]!, sorted[Math.ceil(at)]!]
  return low + (high - low) * (at - Math.floor(at))
}
