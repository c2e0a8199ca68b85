// The options with which a hook is registered.

import type { Context } from '../context.ts'
import type { ContentType } from '../model/content-type.ts'

/**
 * When and in which order a hook runs. The filter by type is evaluated at the start, so a hook costs nothing for the
 * types that its filter excludes.
 */
export interface HookOptions {
  /** Selects the content types that the hook runs for. Only for hooks that run for one type; must be synchronous. */
  readonly for?: (type: ContentType) => boolean
  /** The actions that it runs for: find, findOne, count, create, update, delete; for hooks of writes the last three. */
  readonly actions?: readonly string[]
  /** The place of the hook before (`pre`) or after (`post`) those of all other plugins, which is rarely needed. */
  readonly order?: 'pre' | 'post'
  /**
   * Returns whether the hook listens to a write of a type; only for `onLock`, `onWrite` and `onCommit`. Called when
   * the write begins and when the hook would run, so it must be quick and synchronous. A write to which no hook listens has the
   * cost of one without hooks.
   */
  readonly when?: (type: ContentType, context: Context) => boolean
}
