// The number of articles: counted for each list, or remembered until this process writes.
import type { Ask } from './pool.ts'

/** No server tells cheaply that somebody else wrote: a remembered number is right only where nobody else does. */
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
