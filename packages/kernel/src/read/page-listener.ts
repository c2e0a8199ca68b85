// Tells the listeners of the hook onPage what lists sort and filter by, and how long their pages took. Knows no statements.

import type { HookRegistry } from '../hooks/hooks.ts'
import { type ListSearch, searchOf } from '../plan/list-search.ts'
import type { CompiledPlan } from '../sql/compile.ts'
import type { PageListener } from './totals.ts'

/** Returns the function that calls the hook for lists and counts; null if it has no listener. */
export function pageListener({ compiled: { onPage } }: HookRegistry): PageListener | null {
  if (onPage === null) return null
  const searches = new WeakMap<CompiledPlan, ListSearch>()
  return ({ compiled, parsed: { query } }, milliseconds, total) => {
    const { uid, action, stage, id, ids } = query
    if (stage !== 'read' || id !== null || ids !== null || (action !== 'find' && action !== 'count')) return
    const call = onPage.for(uid, action)
    if (call === null) return
    let search = searches.get(compiled)
    if (search === undefined) {
      search = searchOf(compiled.plan)
      searches.set(compiled, search)
    }
    call({ search, milliseconds, total })
  }
}
