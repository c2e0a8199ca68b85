// Measures two servers that run already, such as Strapi v4 and Plinth on copies of the same database, by the same paths in turn:
// `pnpm --filter bench beside http://localhost:1338 http://localhost:1337 '/api/articles?populate=author' '/api/articles/1'`.
// Knows nothing of what serves them.

import autocannon from 'autocannon'
import { CONNECTIONS, RUNS, SECONDS, WARM_UP } from './options.ts'

const [first, second, ...paths] = process.argv.slice(2).filter(word => word !== '--')
if (first === undefined || second === undefined || paths.length === 0) {
  console.error('Needs two addresses and at least one path')
  process.exit(2)
}

/** The number of entries in an answer; 1 for a single one. Throws an error if it is not an answer of a content API. */
async function countEntries(address: string, path: string): Promise<number> {
  const answer = await fetch(address + path)
  if (answer.status !== 200) throw new Error(`${address}${path} is answered ${answer.status}`)
  const { data } = (await answer.json()) as { data?: unknown }
  if (data === undefined || data === null) throw new Error(`${address}${path} has no data`)
  return Array.isArray(data) ? data.length : 1
}

/** Requests per second. Throws an error if a request fails. */
async function load(address: string, path: string, seconds: number): Promise<number> {
  const result = await autocannon({ url: address + path, connections: CONNECTIONS, duration: seconds })
  if (result.non2xx + result.errors > 0) throw new Error(`${address}${path}: not all requests were answered with 200`)
  return result.requests.total / result.duration
}

const median = (numbers: readonly number[]) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]!

for (const path of paths) {
  const counts = [await countEntries(first, path), await countEntries(second, path)]
  if (counts[0] !== counts[1]) throw new Error(`${path}: ${counts[0]} entries by one server, ${counts[1]} by the other`)
  for (const address of [first, second]) await load(address, path, WARM_UP)
  const ratios: number[] = []
  const speeds: [number, number][] = []
  for (let run = 0; run < RUNS; run++) {
    const speed: [number, number] = [await load(first, path, SECONDS), await load(second, path, SECONDS)]
    speeds.push(speed)
    ratios.push(speed[1] / speed[0])
  }
  const [a, b] = [median(speeds.map(([one]) => one)), median(speeds.map(([, other]) => other))]
  console.log(`${path}: ${a.toFixed(0)} and ${b.toFixed(0)} requests per second, ratio ${median(ratios).toFixed(2)}`)
}
