// Measures how much slower this machine is than a usual one, at the moment: virtual machines share their processors, and
// the same work then takes two or three times as much of their time.

/** Milliseconds of the processor that the work takes on a usual machine. */
const usual = 65

/** More is a fault of the work, not of the machine. */
const most = 4

/** Work like that of tests: texts, objects, maps, and their collection. */
function work(): number {
  let sum = 0
  for (let round = 0; round < 48; round++) {
    const rows = Array.from({ length: 2000 }, (_, i) => ({ id: i, name: `name ${i * round}`, tags: [i, `t${i % 7}`] }))
    const byName = new Map(rows.map(row => [row.name, row]))
    const copies = JSON.parse(JSON.stringify(rows)) as typeof rows
    for (const { name } of copies.sort((a, b) => (a.name < b.name ? -1 : 1))) sum += byName.get(name)!.id
  }
  return sum
}

/** Returns how many times as long as usual a piece of work takes of the processor; 1 on a usual or faster machine. */
export function measureSlowness(): number {
  const times = Array.from({ length: 7 }, () => {
    const before = process.cpuUsage()
    work()
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000
  })
  const median = times.sort((a, b) => a - b)[3]!
  return Math.min(most, Math.max(1, median / usual))
}
