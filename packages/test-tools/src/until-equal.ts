// Waits for what a server reports with a delay.

/** Waits until a number is as wanted, for ten seconds at most. */
export async function untilEqual(read: () => Promise<number>, wanted: number): Promise<void> {
  const end = Date.now() + 10_000
  while ((await read()) !== wanted && Date.now() < end) await new Promise(resolve => setTimeout(resolve, 20))
}
