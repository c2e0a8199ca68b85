// Query parameters that plugins add (kernel.parameters.add), and how they act on a plan.

import { Compile } from '#typebox'
import type { Context } from '../context.ts'
import type { ContentType } from '../model/content-type.ts'
import type { ParameterSyntax, ReadableParameter } from '../query/parameter-syntax.ts'
import type { Action } from '../query/query.ts'
import type { PlanDraft } from './draft.ts'
import type { ParameterValue } from './operand.ts'

/** A query parameter of a plugin. */
export interface ParameterDefinition extends ParameterSyntax {
  /** Selects the types that it acts on; for others it is accepted and has no effect. */
  readonly for: (type: ContentType) => boolean
  /**
   * The actions that it acts on. `update` and `delete` mean the read that finds the entry of a single type before it is
   * changed; the read of a write's answer is subject to no condition of plugins.
   */
  readonly actions: readonly Action[]
  /** `root`: only the root node. `every`: also nodes that are populated or crossed by filters. */
  readonly depth: 'root' | 'every'
  /** The value if none is sent; computed per request. */
  readonly fallback?: (context: Context) => unknown
  /** True if the fallback is the same for every request, so that bind values may be cached. */
  readonly isFixed?: boolean
  /** The shape of the fallback, which must not depend on the request. */
  readonly fallbackShape?: string
  /** Adds conditions to a node. `value` is an operand for them: the sent value or the fallback. */
  readonly plan: (node: PlanDraft, use: ParameterValue) => void
  /**
   * The values that the caller may send, if they can be listed, for forms and other tools that offer them. Called for
   * each answer that names them.
   */
  readonly choices?: (context: Context) => readonly string[]
  /**
   * The rule that checks whether a query would have shown an entry that is deleted, and that no query can find any
   * more. Without it, subscribers get no notice when an entry of a type that the parameter acts on is deleted.
   */
  readonly deleted?: DeletedRule
}

/** The rule by which a parameter checks deleted entries, by one of their attributes. */
export interface DeletedRule {
  /** The name of a scalar of the entry. */
  readonly attribute: string
  /**
   * Returns whether a query with `value`, sent or from the fallback, shows an entry whose attribute has the value
   * `entryValue`.
   */
  readonly isShown: (entryValue: unknown, value: unknown) => boolean
}

/** A parameter ready for use. */
export interface Parameter extends ReadableParameter {
  readonly definition: ParameterDefinition
}

/** Compiles the schema of a definition. */
export function compileParameter(definition: ParameterDefinition): Parameter {
  const validator = Compile(definition.schema)
  return { definition, accepts: value => validator.Check(value) }
}
