// Finds out whether the kernel can answer requests, by its own checks and those of plugins. Load balancers ask often,
// so the result is shared and kept for a moment. Knows nothing of HTTP.

import type { Database } from '../connection/database.ts'
import type { SyncReport } from '../migrate/start.ts'
import type { Registrar } from '../registration/registrar.ts'

/** Returns what is missing, in words for the log, or null if nothing is. An error that it throws counts as missing. */
export type ReadinessCheck = () => string | null | Promise<string | null>

/** Milliseconds after which a check counts as failed. */
const patience = 2000
/** Milliseconds for which a result is kept. */
const freshness = 1000

/** The checks of a kernel, as `kernel.readiness`. */
export class Readiness {
  readonly #registrar: Registrar
  readonly #checks = new Map<string, ReadinessCheck>()
  #result: Promise<readonly string[]> | null = null
  #until = 0
  #count: ((error: unknown) => void) | null = null

  /** @internal */
  constructor(registrar: Registrar) {
    this.#registrar = registrar
  }

  /**
   * Adds a check until the freeze, such as one of a service that a plugin cannot work without. A check that takes longer
   * than two seconds counts as failed. Throws RegistrationError after the freeze, and for a name that is taken.
   */
  add(name: string, check: ReadinessCheck): void {
    const refuse = this.#registrar.begin(`readiness check ${String(name)}`)
    if (typeof name !== 'string' || name === '') refuse('the name must be a text that is not empty')
    if (typeof check !== 'function') refuse('must be a function')
    if (this.#checks.has(name)) refuse('the name is taken')
    this.#checks.set(name, check)
  }

  /**
   * Counts a request that was refused because of `error`, for transports: the log says once a minute how many there were
   * while the database was away, full or the like. Does nothing for other errors.
   */
  countRefused(error: unknown): void {
    this.#count?.(error)
  }

  /** Sets what counts refused requests. @internal */
  set counter(count: (error: unknown) => void) {
    this.#count = count
  }

  /**
   * Returns the reasons for which the kernel cannot answer, as `<check>: <reason>`; empty if it can. Never rejects.
   * Callers within one second share a result.
   */
  faults(): Promise<readonly string[]> {
    const now = performance.now()
    if (this.#result === null || now >= this.#until) {
      this.#until = now + freshness
      this.#result = this.#run()
    }
    return this.#result
  }

  async #run(): Promise<readonly string[]> {
    const checks = [...this.#checks].map(async ([name, check]) => {
      const fault = await withinTime(check)
      return fault === null ? [] : [`${name}: ${fault}`]
    })
    const faults = (await Promise.all(checks)).flat()
    // A check may take longer than a result is kept.
    this.#until = performance.now() + freshness
    return faults
  }
}

/** The part of a kernel that its own checks ask. */
interface CheckedParts {
  readonly database: Database
  readonly syncReport: SyncReport | null
}

/** Adds the kernel's own checks: the database reads a table, and no step of a migration is pending. */
export function addOwnChecks(readiness: Readiness, kernel: CheckedParts): void {
  readiness.counter = error => kernel.database.outages.refuse(error)
  readiness.add('database', async () => {
    const until = performance.now() + patience
    await kernel.database.check({ isAbandoned: () => performance.now() > until })
    return null
  })
  readiness.add('migrations', () => {
    if (kernel.syncReport === null) return 'the start has not brought the database to the model'
    const { pending } = kernel.syncReport
    return pending.length === 0 ? null : `pending steps: ${pending.join(', ')}`
  })
}

async function withinTime(check: ReadinessCheck): Promise<string | null> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<string>(resolve => {
    timer = setTimeout(resolve, patience, `no answer within ${patience / 1000} seconds`)
  })
  try {
    return await Promise.race([(async () => check())(), late])
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  } finally {
    clearTimeout(timer)
  }
}
