// The extension service (B-9.90 to B-9.98, service.md): what applications and plugins change in the generated schema. It
// takes registrations; the schema is built from them at the start.

import { UsageError } from '@plinth/kernel'
import { ShadowCrud, type ShadowType } from '../schema/shadow-crud.ts'
import type { Extension, ExtensionSource, MiddlewareFactory } from './extension.ts'

/** The registered extensions and middlewares, and the settings of the generated schema. */
interface ExtensionState {
  readonly shadow: ShadowCrud
  readonly sources: readonly ExtensionSource[]
  readonly middlewares: ReadonlyMap<string, MiddlewareFactory>
}

/** `app.graphqlExtension`, and `kernel.plugin('graphql').service('extension')`. */
export class ExtensionService {
  readonly #shadow = new ShadowCrud()
  readonly #sources: ExtensionSource[] = []
  readonly #middlewares = new Map<string, MiddlewareFactory>()
  #isFrozen = false

  /** The settings of a content type or component. */
  shadowCRUD(uid: string): ShadowType {
    this.#requireOpen(`shadowCRUD('${uid}')`)
    return this.#shadow.of(uid)
  }

  /** Adds types, resolvers and their settings. Throws UsageError after the start. */
  use(extension: Extension | ExtensionSource): this {
    this.#requireOpen('use')
    this.#sources.push(typeof extension === 'function' ? extension : () => extension)
    return this
  }

  /**
   * Names a middleware, so that `resolversConfig` can use it by its name or as `{ name, options }`. Throws UsageError
   * after the start, and for a name that is taken.
   */
  middleware(name: string, make: MiddlewareFactory): this {
    this.#requireOpen(`middleware('${name}')`)
    if (this.#middlewares.has(name))
      throw new UsageError('PLINTH_GRAPHQL_EXTENSION', `graphql extension: the middleware "${name}" already exists`)
    this.#middlewares.set(name, make)
    return this
  }

  /**
   * Ends registration, and returns what was registered.
   * @internal
   */
  close(): ExtensionState {
    this.#isFrozen = true
    return { shadow: this.#shadow, sources: this.#sources, middlewares: this.#middlewares }
  }

  #requireOpen(what: string): void {
    if (this.#isFrozen)
      throw new UsageError('PLINTH_GRAPHQL_LATE', `graphql extension: ${what} comes too late; use it in register`)
  }
}
