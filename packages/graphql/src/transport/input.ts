// Reads the operations of a request: from a JSON body, alone or as a batch, or from the query string of a GET (B-9.1 to
// B-9.5).

import { isRecord } from '@plinth/kernel'
import { parseJsonText } from '@plinth/server/transport'
import type { Variables } from '../operation/arguments.ts'
import type { OperationInput, PersistedHash } from '../operation/operation-input.ts'

/** A request that is answered with plain text, as v4 does (B-9.4). */
export class PlainRefusal extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** The operations of a body; a list is a batch. Throws PlainRefusal, and PlinthError for broken JSON. */
export function readBody(body: string | undefined): readonly OperationInput[] | OperationInput {
  return readOperations(body === undefined ? undefined : parseJsonText(body === '' ? '{}' : body))
}

/** The operations of a body that was parsed. Throws PlainRefusal. */
export function readOperations(value: unknown): readonly OperationInput[] | OperationInput {
  if (Array.isArray(value)) return value.map(readOperation)
  return readOperation(value)
}

/** The operation of a query string; null if there is none. */
export function readSearch(search: string): OperationInput | null {
  const params = new URLSearchParams(search)
  const query = params.get('query') ?? ''
  const extensions = readExtensions(params.get('extensions'))
  if (query === '' && extensions === undefined) return null
  return readOperation({
    query,
    variables: params.get('variables') ?? undefined,
    operationName: params.get('operationName'),
    extensions,
  })
}

function readExtensions(text: string | null): unknown {
  if (text === null || text === '') return undefined
  try {
    return parseJsonText(text)
  } catch {
    throw new PlainRefusal(400, 'Extensions are invalid JSON.')
  }
}

/** The operation of a JSON value. Throws PlainRefusal. */
export function readOperation(value: unknown): OperationInput {
  if (!isRecord(value) || Object.keys(value).length === 0)
    throw new PlainRefusal(400, 'POST body missing, invalid Content-Type, or JSON object has no keys.')
  const { query, variables, operationName, extensions } = value
  if (query !== undefined && query !== null && typeof query !== 'string')
    throw new PlainRefusal(400, 'GraphQL queries must be strings.')
  if (operationName !== undefined && operationName !== null && typeof operationName !== 'string')
    throw new PlainRefusal(400, 'The operation name must be a string.')
  return {
    query: query ?? '',
    variables: readVariables(variables),
    operationName: operationName || null,
    persisted: readHash(extensions),
    sent: value,
  }
}

function readHash(extensions: unknown): PersistedHash | null {
  const hash = isRecord(extensions) ? extensions.persistedQuery : undefined
  if (!isRecord(hash)) return null
  const { version, sha256Hash } = hash
  if (typeof sha256Hash !== 'string') throw new PlainRefusal(400, 'The hash of a persisted query must be a string.')
  return { version, sha256Hash }
}

/** Variables may be sent as the text of JSON. */
function readVariables(value: unknown): Variables {
  if (value === undefined || value === null || value === '') return {}
  return requireRecord(typeof value === 'string' ? parseVariables(value) : value)
}

function parseVariables(text: string): unknown {
  try {
    return parseJsonText(text)
  } catch {
    throw new PlainRefusal(400, 'Variables are invalid JSON.')
  }
}

function requireRecord(value: unknown): Variables {
  if (isRecord(value)) return value
  throw new PlainRefusal(400, 'Variables must be provided as an Object where each property is a variable value.')
}
