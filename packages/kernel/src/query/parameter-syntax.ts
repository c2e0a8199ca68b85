// The part of a plugin's query parameter that parsing and typed transports know: its name, its values and where it is
// offered. Its effect on a plan is in plan/parameters.ts.

import type { TSchema } from '#typebox'

/**
 * The places in which transports with typed arguments offer a parameter, and its description there. A place that is not
 * named does not offer it. The other members of a parameter determine its effect, whatever is offered.
 */
export interface ParameterOffer {
  /** Lists at the root of a query. */
  readonly many?: boolean
  /** Single entries by their id. */
  readonly one?: boolean
  /** Lists below a populate. */
  readonly nested?: boolean
  /** Creations, updates and deletions. */
  readonly writes?: boolean
  /** The value that transports show as the one in force if none is sent, as a client would send it. */
  readonly default?: unknown
  /**
   * The name of the type of its values, for values that are not a list of literals. Parameters with the same name have
   * the same type.
   */
  readonly typeName?: string
  /** The description of the type, as a sentence or a phrase for those who write queries. */
  readonly description?: string
  /**
   * Checks a value that stands in the text of a query, before the query runs: returns the message of the refusal, or
   * null for a value that is fine. Called for each text, so it may know what the database holds. Values that are sent
   * beside the text are checked by the schema, and when they are bound.
   */
  readonly refuseLiteral?: (value: unknown) => string | null
}

/** The values that a parameter accepts, and the part of them that changes the plan. */
export interface ParameterSyntax {
  readonly name: string
  /** The accepted values; transports publish the same schema. A `default` may be given here or by `fallback`. */
  readonly schema: TSchema
  /** True if it is ignored below a populate. Otherwise it applies there, whatever `depth` and `actions` say. */
  readonly rootOnly?: boolean
  /**
   * Returns the part of the value that changes the plan; the value itself is bound. Equal shapes share a plan. May
   * throw to refuse the value.
   */
  readonly shape: (value: never) => string
  /** Returns the message of the 400 for a value that the schema refuses. */
  readonly refuse?: (value: unknown) => string
  /** The places in which transports with typed arguments offer it. Without it: lists at the root, by its schema. */
  readonly offer?: ParameterOffer
}

/** A parameter with its compiled validator. */
export interface ReadableParameter {
  readonly definition: ParameterSyntax
  readonly accepts: (value: unknown) => boolean
}
