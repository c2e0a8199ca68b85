// Finds the middlewares that `resolversConfig` names (B-9.102).

import type { Kernel } from '@plinth/kernel'
import type { Middleware, MiddlewareFactory, ResolverConfig } from './extension.ts'
import { extensionFault, unknownName } from './fault.ts'

type MiddlewareUse = NonNullable<ResolverConfig['middlewares']>[number]

/** The middlewares that were registered by name. */
export class MiddlewareSet {
  readonly #kernel: Kernel
  readonly #byName: ReadonlyMap<string, MiddlewareFactory>

  constructor(kernel: Kernel, byName: ReadonlyMap<string, MiddlewareFactory>) {
    this.#kernel = kernel
    this.#byName = byName
  }

  /** The function of a use. Throws StartError for a name that does not exist; `where` is the place of the use. */
  find(use: MiddlewareUse, where: string): Middleware {
    if (typeof use === 'function') return use
    const { name, options = {} } = typeof use === 'string' ? { name: use } : use
    const make = this.#byName.get(name)
    if (make === undefined) throw unknownName(where, 'middleware', name, this.#byName.keys())
    const middleware = make(options as never, { kernel: this.#kernel })
    if (typeof middleware !== 'function')
      throw extensionFault(`${where}: the middleware "${name}" must return a function, found ${String(middleware)}`)
    return middleware
  }
}
