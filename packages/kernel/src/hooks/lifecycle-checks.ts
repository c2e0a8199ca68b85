// Checks the arguments of `lifecycles.subscribe`: uids, or null for all types, and functions by event.

import { shown } from '../registration/checks.ts'
import type { Refuse } from '../registration/registrar.ts'

/** Refuses wrong arguments. Names of events are checked by `Lifecycles.add`, which also takes the lifecycles files. */
export function checkSubscription(uids: unknown, functions: unknown, refuse: Refuse): void {
  const isList = Array.isArray(uids) && uids.length > 0 && uids.every(uid => typeof uid === 'string')
  if (uids !== null && !isList) refuse(`needs a list of uids, or null for all content types, found ${shown(uids)}`)
  if (functions === null || typeof functions !== 'object')
    refuse(`needs an object of functions by event, found ${shown(functions)}`)
}
