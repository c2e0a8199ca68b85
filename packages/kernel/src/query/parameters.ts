// Query parameters that plugins add (kernel.parameters.add): read here by every door, planned by the plugin.

import { Compile, type TSchema } from '#typebox'
import type { ContentType } from '../model/content-type.ts'
import type { PlanDraft } from '../plan/draft.ts'
import { ValidationError } from '../errors.ts'
import type { Context } from '../context.ts'
import type { Action, ParameterUse } from './query.ts'
import type { QueryWriter } from './writer.ts'

/** A query parameter of a plugin's. */
export interface ParameterDefinition {
  readonly name: string
  /** What it accepts; doors offer the same schema. A `default` may be given here or by `fallback`. */
  readonly schema: TSchema
  /** Types it acts on; on others it is accepted and does nothing. */
  readonly for: (type: ContentType) => boolean
  /**
   * Questions it acts on. `update` and `delete` stand for the look-up of a single type's entry before it is changed; the
   * entry a write answers with is past every rule.
   */
  readonly actions: readonly Action[]
  /** `root`: the asked type only. `every`: also what is populated and what filters pass through. */
  readonly depth: 'root' | 'every'
  /** Part of the value that changes the plan; everything else is bound. Equal shapes share a plan. May refuse by throwing. */
  readonly shape: (value: never) => string
  /** Value when none is sent; computed per request. */
  readonly fallback?: (context: Context) => unknown
  /** The fallback is the same for every request: what is bound may be remembered. */
  readonly isFixed?: boolean
  /** Shape of the fallback, which must not depend on the request. */
  readonly fallbackShape?: string
  /** Adds the rule to a node. `value` is an operand for conditions: the sent value or the fallback. */
  readonly plan: (node: PlanDraft, use: { readonly shape: string; readonly value: Operand }) => void
  /** Message of the 400 for a value the schema refuses. */
  readonly refuse?: (value: unknown) => string
}

/** What a condition compares with: the place of a sent value, or something computed per request. */
export type Operand = (
  | { readonly slot: number }
  | { readonly late: (context: Context) => unknown; readonly isFixed?: boolean }
) & {
  /** Refuses a value by throwing; asked only where something is compared with it. */
  readonly check?: (value: unknown) => void
}

/** A parameter ready for use. */
export interface Parameter {
  readonly definition: ParameterDefinition
  readonly accepts: (value: unknown) => boolean
}

/** Compiles a definition's schema once. */
export function compileParameter(definition: ParameterDefinition): Parameter {
  const validator = Compile(definition.schema)
  return { definition, accepts: value => validator.Check(value) }
}

/** The uses of parameters among the keys of `params`. Throws ValidationError for refused values. */
export function parseParameters(writer: QueryWriter, params: Record<string, unknown>, path: string): ParameterUse[] {
  const uses: ParameterUse[] = []
  for (const [name, parameter] of writer.grammar.parameters) {
    const value = params[name]
    if (value === undefined) continue
    const at = path === '' ? name : `${path}.${name}`
    if (!parameter.accepts(value)) {
      const { refuse } = parameter.definition
      throw new ValidationError(refuse === undefined ? `Invalid parameter ${name}` : refuse(value), { path: at })
    }
    const shape = (parameter.definition.shape as (value: unknown) => string)(value)
    writer.mark(`|${name}=`)
    writer.name(shape)
    uses.push({ name, shape, slot: writer.slot(value, at) })
  }
  return uses
}
