/**
 * Opens Plinth for one test: the recorded content model, or that of another folder, on a database of its own, without
 * any check of rights; and a client that sends requests by Fastify's `inject`.
 */

import { join } from 'node:path'
import { createServer } from '@plinth/server'
import { freshDatabase, type TestDatabase, testClient } from '@plinth/test-tools/databases'
import type { FastifyInstance } from 'fastify'
import type { Test } from 'tap'

export { testClient }

/** An empty database, which is removed after the test. */
export async function fresh(t: Test): Promise<TestDatabase> {
  const database = await freshDatabase(testClient())
  t.teardown(() => database.drop())
  return database
}

type Options = Parameters<typeof createServer>[0]

const usualPlugins = {
  rest: { config: { defaultLimit: 25, maxLimit: 100 } },
  'draft-publish': { config: { findOne: 'v4' } },
}

export async function boot(t: Test, options: Partial<Options> = {}): Promise<FastifyInstance> {
  const { config } = await fresh(t)
  const app = await createServer({
    dir: join(import.meta.dirname, 'app'),
    database: config,
    logger: false,
    ...options,
    // The recorded model has attributes of this type.
    plugins: { passwords: true, ...(options.plugins ?? usualPlugins) },
  })
  t.teardown(() => app.close())
  await app.ready()
  return app
}

export interface Entry {
  readonly id: number
  readonly attributes: Record<string, unknown>
}

interface Body {
  readonly data: unknown
  readonly meta?: { readonly pagination?: Record<string, number> }
  readonly error?: { status: number; name: string; message: string; details?: Record<string, unknown> }
}

/** A response: its status, headers and parsed JSON body. The body is null if there is none. */
export interface Answer {
  readonly status: number
  readonly headers: Record<string, unknown>
  readonly body: Body
  readonly text: string
}

type Headers = Readonly<Record<string, string>>

/**
 * Sends requests without a socket, each with the headers `common`. A body that is a string is sent unchanged; any other
 * value is sent as JSON.
 */
export function client(app: FastifyInstance, common: Headers = {}) {
  const send = async (
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    url: string,
    body?: unknown,
    headers: Headers = {},
  ): Promise<Answer> => {
    const payload =
      body === undefined || typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body)
    const type: Headers = payload === undefined ? {} : { 'content-type': 'application/json' }
    const response = await app.inject({ method, url, payload, headers: { ...common, ...type, ...headers } })
    const isJson = String(response.headers['content-type']).includes('json')
    const { statusCode: status, payload: text } = response
    return { status, headers: response.headers, text, body: (isJson ? JSON.parse(text) : null) as Body }
  }
  return {
    get: (url: string, headers?: Headers) => send('GET', url, undefined, headers),
    post: (url: string, body?: unknown, headers?: Headers) => send('POST', url, body, headers),
    put: (url: string, body?: unknown, headers?: Headers) => send('PUT', url, body, headers),
    delete: (url: string) => send('DELETE', url),
    /** The entries of a list. Throws an error if the body contains no list. */
    async list(url: string): Promise<Entry[]> {
      const { status, body } = await send('GET', url)
      if (status !== 200 || !Array.isArray(body.data)) throw new Error(`${url}: ${status} ${JSON.stringify(body)}`)
      return body.data as Entry[]
    },
    /** Creates entries and returns their ids. Throws an error if one is refused. */
    async create(plural: string, ...entries: Record<string, unknown>[]): Promise<number[]> {
      const ids: number[] = []
      for (const data of entries) {
        const { status, body } = await send('POST', `/api/${plural}`, { data })
        if (status !== 200) throw new Error(`${plural}: ${status} ${JSON.stringify(body)}`)
        ids.push((body.data as Entry).id)
      }
      return ids
    },
  }
}

export type Client = ReturnType<typeof client>
