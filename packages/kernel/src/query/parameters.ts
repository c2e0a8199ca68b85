// Query parameters that plugins add, as every door reads them. What they do to a plan is plan/parameters.ts.

import type { TSchema } from '#typebox'
import { ValidationError } from '../errors.ts'
import type { ParameterUse } from './query.ts'
import type { ShapeBuilder } from './shape.ts'

/** What a parameter accepts, and what of it changes the plan. */
export interface ParameterSyntax {
  readonly name: string
  /** What it accepts; doors offer the same schema. A `default` may be given here or by `fallback`. */
  readonly schema: TSchema
  /** Is it ignored where it is sent at a populate? Otherwise it acts there, whatever `depth` and `actions` say. */
  readonly rootOnly?: boolean
  /** Part of the value that changes the plan; everything else is bound. Equal shapes share a plan. May refuse by throwing. */
  readonly shape: (value: never) => string
  /** Message of the 400 for a value the schema refuses. */
  readonly refuse?: (value: unknown) => string
}

/** A parameter ready to be read. */
export interface ReadableParameter {
  readonly definition: ParameterSyntax
  readonly accepts: (value: unknown) => boolean
}

/** The uses of parameters among the keys of `params`. Throws ValidationError for refused values. */
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
    const shape = (parameter.definition.shape as (value: unknown) => string)(value)
    writer.mark(`|${name}=`)
    writer.name(shape)
    uses.push({ name, shape, slot: writer.bindValue(value, at) })
  }
  return uses
}
