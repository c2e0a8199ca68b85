// The extension service (B-9.90 to B-9.98, service.md): what applications and plugins change in the generated schema. It
// takes registrations; the schema is built from them at the start.

import { UsageError } from '@plinth/kernel'
import { ShadowCrud, type ShadowType } from './shadow-crud.ts'
import type { Extension, ExtensionSource } from './extension.ts'

/** `app.graphqlExtension`, and `kernel.plugin('graphql').service('extension')`. */
export class ExtensionService {
  readonly #shadow = new ShadowCrud()
  readonly #sources: ExtensionSource[] = []
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
   * Ends registration, and returns what was registered.
   * @internal
   */
  close(): { readonly shadow: ShadowCrud; readonly sources: readonly ExtensionSource[] } {
    this.#isFrozen = true
    return { shadow: this.#shadow, sources: this.#sources }
  }

  #requireOpen(what: string): void {
    if (this.#isFrozen)
      throw new UsageError('PLINTH_GRAPHQL_LATE', `graphql extension: ${what} comes too late; use it in register`)
  }
}
