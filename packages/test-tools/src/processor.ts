/**
 * Measures what code costs by the time of the processor: other processes of the machine do not add to it, so a bound of it
 * is one of the code.
 */

/** Milliseconds of the processor that all threads of this process took since `began`, a result of `process.cpuUsage()`. */
export function processorSince(began: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(began)
  return (user + system) / 1000
}
