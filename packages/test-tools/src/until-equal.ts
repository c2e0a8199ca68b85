// Waits for what a server reports with a delay.

/** Waits until the number is `expected`, for ten seconds at most. */
export async function untilEqual(read: () => Promise<number>, expected: number): Promise<void> {
  const end = Date.now() + 10_000
  while ((await read()) !== expected && Date.now() < end) await new Promise(resolve => setTimeout(resolve, 20))
}
