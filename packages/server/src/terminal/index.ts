// The plugin that prints a line for each request, for the terminal of a developer: what was asked and answered, the reasons
// that the client is not told, and what took long. It uses public hooks only; where it is not enabled nobody measures.

import { AsyncLocalStorage } from 'node:async_hooks'
import { definePlugin, type Kernel, type ListSearch, PlinthError, type Plugin, suggestion } from '@plinth/kernel'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { RequestNotes } from './request-notes.ts'
import { adviceText, answeredText, readableUrl, reasonText, slowText } from './request-text.ts'

export interface RequestLinesOptions {
  /** Milliseconds from which on a statement is slow; 200 by default. */
  readonly slowAfter?: number
  /** Returns what would make a list faster, such as an index; null if nothing is known. */
  readonly advise?: (kernel: Kernel, search: ListSearch) => Promise<string | null>
  /** Prints a line; by default to the standard output. */
  readonly print?: (line: string) => void
}

/** A line for each request to the routes of Plinth. For development: it measures each request. */
export function requestLines({
  slowAfter = 200,
  advise = async () => null,
  print = console.log,
}: RequestLinesOptions = {}): Plugin {
  return definePlugin({
    name: 'request-lines',
    register({ kernel, app }) {
      if (app === null) return
      const notes = new Notes(kernel, slowAfter)
      notes.listen(app)
      app.addHook('onResponse', async (request, reply) => {
        const own = notes.of(request)
        if (request.is404 && reply.statusCode === 404)
          own.addReason(`404: no route has this path${nearPath(kernel, request)}`)
        for (const line of linesOf(request, reply, own)) print(line)
        for (const search of own.searches) {
          const advice = await advise(kernel, search)
          if (advice !== null) print(adviceText(advice))
        }
      })
    },
  })
}

function linesOf(request: FastifyRequest, reply: FastifyReply, notes: RequestNotes): string[] {
  const { method, originalUrl: url } = request
  const { statements } = notes
  const milliseconds = performance.now() - notes.began
  const answered = answeredText({ method, url, status: reply.statusCode, milliseconds, statements })
  return [answered, ...[...notes.reasons].map(reasonText), ...notes.slow.map(slowText)]
}

/** The notes of all requests that are under way. */
class Notes {
  readonly #kernel: Kernel
  readonly #slowAfter: number
  readonly #byRequest = new WeakMap<FastifyRequest, RequestNotes>()
  /** The notes of the caller. */
  readonly #current = new AsyncLocalStorage<RequestNotes>()

  constructor(kernel: Kernel, slowAfter: number) {
    this.#kernel = kernel
    this.#slowAfter = slowAfter
  }

  of(request: FastifyRequest): RequestNotes {
    let notes = this.#byRequest.get(request)
    if (notes === undefined) {
      notes = new RequestNotes(this.#slowAfter)
      this.#byRequest.set(request, notes)
    }
    return notes
  }

  listen(app: FastifyInstance): void {
    const { hooks } = this.#kernel
    hooks.on('onPage', ({ search, milliseconds }) => this.#current.getStore()?.addPage(search, milliseconds))
    hooks.on('onRemark', remark => this.#current.getStore()?.addReason(remark))
    // Fastify keeps the asynchronous context of this hook for all that follows.
    app.addHook('onRequest', (request, reply, done) => {
      const notes = this.of(request)
      // Lines of the log about the request name it.
      const at = { at: `${request.method} ${readableUrl(request.originalUrl)}` }
      request.log = request.log.child(at)
      reply.log = request.log
      this.#current.run(notes, () => this.#kernel.observe(notes, done))
    })
    app.addHook('onError', async (request, reply, error) => {
      const reason = reasonOf(error)
      if (reason !== null) this.of(request).addReason(`${statusOf(error, reply)}: ${reason}`)
    })
  }
}

/** Returns the reason why a request was refused; null for a fault of the server, which the log has. */
function reasonOf(error: Error): string | null {
  if (!(error instanceof PlinthError)) {
    const { statusCode = 500 } = error as { readonly statusCode?: number }
    return statusCode < 500 ? error.message : null
  }
  const { at, reason, status } = error
  if (reason !== null) return reason
  if (status === 404) return 'there is no such entry, or none that the caller may see'
  // A value that was sent may be a password.
  const message = error.message.replace(/, but the final value was: .*/s, '')
  return at === null || message.includes(at) ? message : `${message} (${at})`
}

/** `, did you mean "articles"?`, for a path in which one word is nearly that of a content type; else empty. */
function nearPath({ contentTypes }: Kernel, { originalUrl }: FastifyRequest): string {
  const types = contentTypes.values().filter(type => type.kind !== 'component' && !type.internal)
  const names = types.map(type => (type.kind === 'singleType' ? type.singularName : type.pluralName))
  const [path = ''] = originalUrl.split('?')
  const words = path.split('/').filter(word => !names.includes(word))
  return words.map(word => suggestion(word, names)).findLast(hint => hint !== '') ?? ''
}

function statusOf(error: Error, reply: FastifyReply): number {
  if (error instanceof PlinthError) return error.status
  return (error as { readonly statusCode?: number }).statusCode ?? reply.statusCode
}
