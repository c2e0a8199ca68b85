// The number of articles: counted for each list, or cached until this process writes.

import type { Ask } from './pool.ts'

/**
 * A database server does not report cheaply that another process wrote, so a cached number is correct only if none
 * does.
 */
export function createTotal(count: Ask<{ total: number | string }>, remembers: boolean) {
  let known: number | null = null
  return {
    async get(): Promise<number> {
      if (known !== null) return known
      const [row] = await count()
      const total = Number(row!.total)
      if (remembers) known = total
      return total
    },
    forget(): void {
      known = null
    },
  }
}
