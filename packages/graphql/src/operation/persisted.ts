// Persisted queries: finds the text of an operation that is sent as a hash, and verifies hashes that are sent with a text
// (security.md row 76). The texts are kept by the option `serverOptions.persistedQueryProvider`, which has mercurius's
// interface; without it no text is known. It knows neither the schema nor the format of answers.

import { createHash } from 'node:crypto'
import type { PersistedQueryProvider } from '../config.ts'
import { plainRefusal, type RefusalCode } from './errors.ts'
import type { OperationInput } from './operation-input.ts'
import { RefusedDocument } from './refused-document.ts'

/** Automatic persisted queries, of which none is stored. */
const empty: PersistedQueryProvider = {
  isPersistedQuery: request => !('query' in request && request.query),
  getHash: () => 'any',
  getQueryFromHash: () => undefined,
}

/**
 * A refusal of a persisted query. Clients send the text as well when it is not found, which is not an error of theirs.
 */
class PersistedRefusal extends RefusedDocument {
  override readonly status: number

  constructor(status: number, message: string, code: RefusalCode) {
    super([plainRefusal(message, code)])
    this.status = status
  }
}

/** The persisted queries of one endpoint. */
export class PersistedQueries {
  readonly #provider: PersistedQueryProvider | null
  readonly #warn: (error: unknown) => void

  constructor(provider: PersistedQueryProvider | null, warn: (error: unknown) => void) {
    this.#provider = provider
    this.#warn = warn
  }

  /** Returns whether the text of the operation may come from elsewhere than from its request. */
  concerns({ persisted, sent }: OperationInput): boolean {
    if (sent === null) return false
    return persisted !== null || (this.#provider !== null && Boolean(this.#provider.isPersistedQuery(sent)))
  }

  /** The operation with its text. Throws RefusedDocument for hashes that are unknown or belong to another text. */
  async find(input: OperationInput): Promise<OperationInput> {
    const { sent } = input
    if (sent === null || !this.concerns(input)) return input
    verify(input)
    const provider = this.#provider ?? empty
    if (!provider.isPersistedQuery(sent)) {
      verifyBy(provider, sent, input.query)
      return input
    }
    const hash = provider.getHash(sent)
    if (typeof hash !== 'string' || hash === '')
      throw new PersistedRefusal(
        200,
        provider.notSupportedError ?? 'PersistedQueryNotSupported',
        'PERSISTED_QUERY_NOT_SUPPORTED',
      )
    const query = await provider.getQueryFromHash(hash)
    if (typeof query !== 'string' || query === '')
      throw new PersistedRefusal(200, provider.notFoundError ?? 'PersistedQueryNotFound', 'PERSISTED_QUERY_NOT_FOUND')
    const complete = { ...input, query }
    verify(complete)
    return complete
  }

  /** Stores the text of an operation that was answered, if it was sent for that. */
  async keep({ sent, query }: OperationInput): Promise<void> {
    const provider = this.#provider
    if (provider === null || sent === null || !provider.isPersistedQueryRetry?.(sent)) return
    const hash = provider.getHashForQuery?.(query)
    if (typeof hash !== 'string') return
    try {
      await provider.saveQuery?.(hash, query)
    } catch (error) {
      this.#warn(error)
    }
  }
}

/** Verifies a hash that a provider computes itself. */
function verifyBy(provider: PersistedQueryProvider, sent: object, query: string): void {
  if (!provider.isPersistedQueryRetry?.(sent) || provider.getHashForQuery === undefined) return
  const hash = provider.getHash(sent)
  if (typeof hash === 'string' && hash !== provider.getHashForQuery(query)) throw mismatch(provider.mismatchError)
}

/** The protocol of automatic persisted queries, whoever stores them: its version, and the hash of a text that is sent. */
function verify({ persisted, query }: OperationInput): void {
  if (persisted === null) return
  if (persisted.version !== 1)
    throw new PersistedRefusal(400, 'Unsupported persisted query version', 'INTERNAL_SERVER_ERROR')
  if (query === '') return
  const hash = createHash('sha256').update(query).digest('hex')
  if (hash !== persisted.sha256Hash.toLowerCase()) throw mismatch()
}

function mismatch(message = 'provided sha does not match query'): PersistedRefusal {
  return new PersistedRefusal(400, message, 'INTERNAL_SERVER_ERROR')
}
