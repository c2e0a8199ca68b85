// Reads entries as the callers of webhooks see them: with their rights, rules and hidden attributes. Knows no events.

import {
  type ContentType,
  type Context,
  type Entry,
  ForbiddenError,
  type Kernel,
  UnauthorizedError,
  withMaxCost,
} from '@plinth/kernel'
import type { Callers } from './callers.ts'
import type { Hook } from './hooks.ts'

/** The depth to which components within components are populated. */
const maxDepth = 5
/** The maximum number of entries of one relation that are populated, if the settings say nothing else. */
const maxLinked = 100
/** The types and components that such a read may visit. */
const maxNodes = 1000

type Below = Readonly<Record<string, unknown>>

/** The question of a webhook about entries: webhooks with equal views share what is read. */
export type View = Pick<Hook, 'as' | 'hasDrafts' | 'populate'>

export const keyOf = ({ as, hasDrafts, populate }: View) => JSON.stringify([as, hasDrafts, populate])

export class Views {
  readonly #kernel: Kernel
  readonly #callers: Callers
  readonly #populates = new Map<string, Below>()

  constructor(kernel: Kernel, callers: Callers) {
    this.#kernel = kernel
    this.#callers = callers
  }

  /** Returns an entry as the caller of a view sees it at present; null if the caller does not see it. */
  async read(type: ContentType, id: number, view: View): Promise<Entry | null> {
    try {
      return await this.readOrThrow(type, id, view)
    } catch (error) {
      if (error instanceof ForbiddenError || error instanceof UnauthorizedError) return null
      throw error
    }
  }

  /** Throws what a caller without the right is answered with. */
  async readOrThrow(type: ContentType, id: number, { as, hasDrafts, populate }: View): Promise<Entry | null> {
    const access = await this.#callers.accessOf(as)
    if (access === null) throw new UnauthorizedError()
    const options = { populate: populate ?? this.#populateOf(type), ...(hasDrafts && this.#preview(type)) }
    const context: Context = this.#kernel.context(access)
    return this.#kernel.query(type.uid as string, context).findOne(id, withMaxCost(options, maxNodes))
  }

  /** The parameter that shows drafts, if entries of the type may be drafts. */
  #preview(type: ContentType): { readonly publicationState?: 'preview' } {
    const parameter = this.#kernel.parameters.values().find(one => one.name === 'publicationState')
    return parameter?.for(type) === true ? { publicationState: 'preview' } : {}
  }

  /** Returns what v4 populates: components, dynamic zones, files and related entries. */
  #populateOf(type: ContentType): Below {
    const cached = this.#populates.get(type.uid)
    if (cached !== undefined) return cached
    const populate = this.#below(type, maxDepth)
    this.#populates.set(type.uid, populate)
    return populate
  }

  #below(type: ContentType, depth: number): Below {
    const populate: Record<string, unknown> = {}
    const withParts = (uid: string) => ({ populate: this.#below(this.#kernel.contentTypes.require(uid), depth - 1) })
    for (const one of type.attributes.values()) {
      if (one.kind === 'relation') populate[one.name] = one.many ? { limit: maxLinked } : true
      if (depth === 0) continue
      if (one.kind === 'component') populate[one.name] = withParts(one.component)
      if (one.kind === 'zone')
        populate[one.name] = { on: Object.fromEntries(one.components.map(uid => [uid, withParts(uid)])) }
    }
    return populate
  }
}
