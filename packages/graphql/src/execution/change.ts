// A change of an entry that was committed, and whether a query would have shown an entry that is deleted. It knows neither
// where changes come from nor how subscribers are notified.

import type { ContentType, Context, Kernel, Operation, Params } from '@plinth/kernel'

/** A change of one entry. It contains no values that a caller could read. */
export interface Change {
  readonly uid: string
  readonly action: 'create' | 'update' | 'delete'
  readonly id: number
  /** Of a deleted entry: the values by which parameters of plugins check who could see it. */
  readonly held: Readonly<Record<string, unknown>>
}

/** Stands for a change while a subscription is checked. No entry has the id 0. */
export const noChange: Change = { uid: '', action: 'update', id: 0, held: {} }

/** A query, and the deleted entry that it would have shown. */
interface DeletedEntryQuery {
  readonly type: ContentType
  readonly action: Operation
  readonly params: Params
  readonly change: Change
}

/**
 * Returns whether the parameters of plugins would have let a query show a deleted entry. The filters of the caller are
 * not checked: they hide nothing from the caller that other filters would not show.
 */
export function showsDeleted(
  { parameters }: Pick<Kernel, 'parameters'>,
  { type, action, params, change }: DeletedEntryQuery,
  context: Context,
): boolean {
  return parameters.values().every(({ name, for: isFor, actions, deleted, fallback }) => {
    if (!isFor(type) || !(actions as readonly string[]).includes(action)) return true
    const sent = (params as Readonly<Record<string, unknown>>)[name]
    const value = sent ?? fallback?.(context)
    // A parameter that was not sent, and that has no value of its own, does not act.
    if (value === undefined) return true
    if (deleted === undefined || !(deleted.attribute in change.held)) return false
    return deleted.isShown(change.held[deleted.attribute], value)
  })
}
