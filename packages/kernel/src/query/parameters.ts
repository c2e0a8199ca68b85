// Parses query parameters that plugins add, for all transports. Their effect on a plan is in plan/parameters.ts.

import type { TSchema } from '#typebox'
import { ValidationError } from '../errors.ts'
import { aboutSent } from './place.ts'
import type { ParameterUse } from './query.ts'
import type { ShapeBuilder } from './shape.ts'

/** The values that a parameter accepts, and the part of them that changes the plan. */
export interface ParameterSyntax {
  readonly name: string
  /** The accepted values; transports publish the same schema. A `default` may be given here or by `fallback`. */
  readonly schema: TSchema
  /** Whether it is ignored below a populate. Otherwise it applies there, whatever `depth` and `actions` say. */
  readonly rootOnly?: boolean
  /**
   * Returns the part of the value that changes the plan; the value itself is bound. Equal shapes share a plan. May
   * throw to refuse the value.
   */
  readonly shape: (value: never) => string
  /** Returns the message of the 400 for a value that the schema refuses. */
  readonly refuse?: (value: unknown) => string
}

/** A parameter with its compiled validator. */
export interface ReadableParameter {
  readonly definition: ParameterSyntax
  readonly accepts: (value: unknown) => boolean
}

/** The parameters that `params` contains. Throws ValidationError for refused values. */
export function parseParameters(writer: ShapeBuilder, params: Record<string, unknown>, path: string): ParameterUse[] {
  const uses: ParameterUse[] = []
  for (const [name, parameter] of writer.grammar.parameters) {
    const value = params[name]
    if (value === undefined || (path !== '' && parameter.definition.rootOnly === true)) continue
    const at = path === '' ? name : `${path}.${name}`
    if (!parameter.accepts(value)) {
      const { refuse } = parameter.definition
      throw new ValidationError(refuse === undefined ? `Invalid parameter ${name}` : refuse(value), { path: at })
    }
    const shape = shapeOf(parameter, value, at)
    writer.mark(`|${name}=`)
    writer.name(shape, at)
    uses.push({ name, shape, slot: writer.bindValue(value, at), path: at })
  }
  return uses
}

/** The shape of a value that was sent at `at`. Throws what the plugin throws to refuse it, with this place. */
function shapeOf({ definition }: ReadableParameter, value: unknown, at: string): string {
  try {
    return (definition.shape as (value: unknown) => string)(value)
  } catch (error) {
    throw aboutSent(error, at)
  }
}
