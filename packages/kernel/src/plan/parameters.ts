// Query parameters that plugins add (kernel.parameters.add): what they are to a plan.

import { Compile } from '#typebox'
import type { Context } from '../context.ts'
import type { ContentType } from '../model/content-type.ts'
import type { ParameterSyntax, ReadableParameter } from '../query/parameters.ts'
import type { Action } from '../query/query.ts'
import type { PlanDraft } from './draft.ts'

/** A query parameter of a plugin's. */
export interface ParameterDefinition extends ParameterSyntax {
  /** Types it acts on; on others it is accepted and does nothing. */
  readonly for: (type: ContentType) => boolean
  /**
   * Questions it acts on. `update` and `delete` stand for the look-up of a single type's entry before it is changed; the
   * entry a write answers with is past every rule.
   */
  readonly actions: readonly Action[]
  /** `root`: the asked type only. `every`: also what is populated and what filters pass through. */
  readonly depth: 'root' | 'every'
  /** Value when none is sent; computed per request. */
  readonly fallback?: (context: Context) => unknown
  /** The fallback is the same for every request: what is bound may be remembered. */
  readonly isFixed?: boolean
  /** Shape of the fallback, which must not depend on the request. */
  readonly fallbackShape?: string
  /** Adds the rule to a node. `value` is an operand for conditions: the sent value or the fallback. */
  readonly plan: (node: PlanDraft, use: { readonly shape: string; readonly value: Operand }) => void
}

/** What a condition compares with: the place of a sent value, or something computed per request. */
export type Operand = (
  | { readonly slot: number }
  | { readonly perRequest: (context: Context) => unknown; readonly isConstant?: boolean }
) & {
  /** Refuses a value by throwing; asked only where something is compared with it. */
  readonly check?: (value: unknown) => void
}

/** A parameter ready for use. */
export interface Parameter extends ReadableParameter {
  readonly definition: ParameterDefinition
}

/** Compiles a definition's schema once. */
export function compileParameter(definition: ParameterDefinition): Parameter {
  const validator = Compile(definition.schema)
  return { definition, accepts: value => validator.Check(value) }
}
