// Reads operations with files, by the GraphQL multipart request specification: `operations`, then `map`, then the files,
// each of which becomes the value of the variables that the map names. A plugin takes the files; what it makes of them is
// not known here. The messages are those of v4 (B-9.9).

import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { type Context, PlinthError } from '@plinth/kernel'
import { cite, parseJson, readParts } from '@plinth/server/transport'
import type { OperationInput } from '../operation/operation-input.ts'
import { markFile } from '../schema/received-files.ts'
import { readOperations } from './input.ts'
import { placeAt } from './variable-place.ts'

/** A file of a request, while it arrives. */
export interface GraphqlFile {
  readonly filename: string
  /** The media type that the client claims. */
  readonly mime: string
  readonly stream: Readable
}

/** Takes the files of requests; the service `files` of the plugin graphql, which one plugin may provide. */
export interface GraphqlFiles {
  /**
   * Runs `work` for one request of the caller of `context`, whose right to the operation is checked only when it runs: of
   * a caller who may store no files nothing should be kept. `receive` reads a file to its end and returns what variables
   * contain in its place; it throws if the file cannot be taken. What was received is released when `work` ends. `signal`
   * aborts when the client waits for the answer no more.
   */
  during<T>(
    request: IncomingMessage,
    context: Context,
    work: (receive: ReceiveFile, signal: AbortSignal) => Promise<T>,
  ): Promise<T>
}

export type ReceiveFile = (file: GraphqlFile) => Promise<object>

const specification = 'https://github.com/jaydenseric/graphql-multipart-request-spec'

/** A file may stand in several variables, and an operation has few files. */
const maxParts = 1000

/** Reads a body. Throws PlinthError for one that does not follow the specification, and PlainRefusal. */
export async function readMultipartBody(
  request: IncomingMessage,
  { fieldLimit, receive, signal }: { fieldLimit: number; receive: ReceiveFile; signal: AbortSignal },
): Promise<readonly OperationInput[] | OperationInput> {
  let operations: object | null = null
  let places: Places | null = null
  for await (const part of readParts(request, { fieldLimit, maxParts, signal })) {
    if (part.kind === 'file') {
      if (places === null) throw broken('Misordered multipart fields; files should follow ‘map’')
      places.fill(part.name, markFile(await receive(part)))
    } else if (part.name === 'operations') {
      if (operations !== null) throw broken('The ‘operations’ multipart field is sent more than once')
      operations = objectIn('operations', part.value)
    } else if (part.name === 'map') {
      if (operations === null) throw broken('Misordered multipart fields; ‘map’ should follow ‘operations’')
      if (places !== null) throw broken('The ‘map’ multipart field is sent more than once')
      places = new Places(objectIn('map', part.value), operations)
    }
  }
  if (operations === null) throw broken('Missing multipart field ‘operations’')
  if (places === null) throw broken('Missing multipart field ‘map’')
  places.checkFull()
  return readOperations(operations)
}

/** The places in operations that files are put in. */
class Places {
  readonly #byName = new Map<string, ((value: object) => void)[]>()

  constructor(map: object, operations: object) {
    if (Array.isArray(map)) throw broken('Invalid type for the ‘map’ multipart field')
    for (const [name, paths] of Object.entries(map)) {
      const entry = `‘map’ multipart field entry key ‘${cite(name)}’ array`
      if (!Array.isArray(paths)) throw broken(`Invalid type for the ${entry}`)
      this.#byName.set(
        name,
        paths.map((path: unknown, i) => {
          if (typeof path !== 'string') throw broken(`Invalid type for the ${entry} index ‘${i}’ value`)
          const put = placeAt(operations, path)
          if (put === null) throw broken(`Invalid object path for the ${entry} index ‘${i}’ value ‘${cite(path)}’`)
          return put
        }),
      )
    }
  }

  fill(name: string, value: object): void {
    const puts = this.#byName.get(name)
    if (puts === undefined) throw broken(`The file ‘${cite(name)}’ is not in the ‘map’ multipart field`)
    for (const put of puts) put(value)
    this.#byName.delete(name)
  }

  checkFull(): void {
    if (this.#byName.size > 0) throw broken('File missing in the request')
  }
}

function objectIn(name: string, value: Buffer): object {
  let parsed: unknown
  try {
    parsed = parseJson(value)
  } catch {
    throw broken(`Invalid JSON in the ‘${name}’ multipart field`)
  }
  // An empty field.
  if (parsed === undefined) throw broken(`Invalid type for the ‘${name}’ multipart field`)
  return parsed as object
}

function broken(fault: string): PlinthError {
  return new PlinthError(400, 'BadRequestError', `${fault} (${specification}).`, null)
}

/** Headers that pages of other origins cannot send without asking; those of Apollo's and mercurius' clients. */
export const preflighted: readonly string[] = [
  'apollo-require-preflight',
  'x-apollo-operation-name',
  'mercurius-require-preflight',
  'x-mercurius-operation-name',
  'graphql-require-preflight',
  'x-requested-with',
]

/**
 * Refuses a multipart request that a page of another origin may have sent without asking: browsers send such forms, and
 * JSON only after a preflight (security.md row 68). Throws PlinthError.
 */
export function requirePreflight(headers: Readonly<Record<string, unknown>>): void {
  if (preflighted.some(name => typeof headers[name] === 'string' && headers[name] !== '')) return
  const needed = preflighted.slice(0, 2).join(' or ')
  throw new PlinthError(
    400,
    'BadRequestError',
    `A multipart request needs one of the headers that a page of another origin cannot send unasked, such as ${needed}`,
    null,
  )
}
