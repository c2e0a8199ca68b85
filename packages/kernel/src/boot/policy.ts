// The contract of a policy (B-13.45 to B-13.49), and of the lists in which actions name policies. Knows no transport.

import type { Context } from '../context.ts'
import type { Kernel } from './kernel.ts'

/**
 * The first argument of a policy. A transport adds members of its own, such as `request` and `params`, by declaration
 * merging.
 */
export interface PolicyContext {
  /** The transport, by the name that it has in v4: `koa` for REST. */
  readonly type: string
  is(type: string): boolean
  readonly action: string
  /** The caller, for `kernel.query(uid, policyContext.caller)`. */
  readonly caller: Context
  /** `caller.state`, with the user of the caller as `user`, unless nobody has logged in. Hooks read its changes. */
  readonly state: Record<string, unknown>
}

/** The last argument of a policy. */
export interface PolicyTools {
  readonly kernel: Kernel
}

/** Returns true or nothing to pass, anything else to refuse (B-5.25), or throws. May be asynchronous. */
export type PolicyHandler = (policyContext: PolicyContext, config: never, tools: PolicyTools) => unknown

/** A policy: a function, or a function with a check of its settings. */
export type Policy =
  | PolicyHandler
  | {
      readonly name?: string
      /** Called at the start with the settings of each use; throws if they are wrong. */
      readonly validator?: (config: never) => void
      readonly handler: PolicyHandler
    }

/** A policy in the list of an action: its name, its name with settings, or a function. */
export type PolicyUse = string | { readonly name: string; readonly config?: unknown } | PolicyHandler

/** Runs the policies of an action one after the other. Throws PolicyError, or what a policy throws. */
export type PolicyRun = (policyContext: PolicyContext) => Promise<void>
