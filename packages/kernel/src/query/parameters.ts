// Parses query parameters that plugins add, for all transports. Their effect on a plan is in plan/parameters.ts.

import { ValidationError } from '../errors.ts'
import type { ReadableParameter } from './parameter-syntax.ts'
import { aboutSent } from './place.ts'
import type { ParameterUse } from './query.ts'
import type { ShapeBuilder } from './shape.ts'

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
