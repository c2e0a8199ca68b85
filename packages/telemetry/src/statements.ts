// Makes a span of each SQL statement, or of several that are sent together. Their texts hold no values of clients,
// because all values are bound.

import { type Context, type Span, SpanKind, type Tracer } from '@opentelemetry/api'
import type { StatementObserver } from '@plinth/kernel'

/** Longer texts are cut, because exporters limit the size of what they send. */
const maxText = 4096

/** Observes the statements of one request. */
export class StatementSpans implements StatementObserver {
  readonly #tracer: Tracer
  readonly #parent: Context
  /** Statements that have not been sent. */
  #texts: string[] = []
  /** Under way, the oldest first. */
  readonly #running: Span[] = []

  constructor(tracer: Tracer, parent: Context) {
    this.#tracer = tracer
    this.#parent = parent
  }

  onStatement(text: string): void {
    this.#texts.push(text)
  }

  onBegin(): void {
    const texts = this.#texts
    this.#texts = []
    const name = texts.map(verbOf).join(', ') || 'SQL'
    const attributes = { 'db.operation.name': name, 'db.query.text': texts.join(';\n').slice(0, maxText) }
    this.#running.push(this.#tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes }, this.#parent))
  }

  /** Statements that one request sends beside each other rarely end in another order than they began. */
  onEnd(): void {
    this.#running.shift()?.end()
  }
}

function verbOf(text: string): string {
  return /^\W*(\w+)/.exec(text)?.[1]?.toUpperCase() ?? 'SQL'
}
