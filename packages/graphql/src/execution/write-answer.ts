// Writes the answer of an operation from the outcomes of its roots, without execution. It knows no request.

import { Inexpressible } from '../answer/inexpressible.ts'
import { writeRoot } from '../answer/writer.ts'
import type { OperationSelection, RootSelection } from '../operation/selection.ts'
import type { Run } from './run.ts'

/** Writes the answer of roots that have run. Throws Inexpressible if one has an error. */
export function writeAnswer({ roots }: OperationSelection, run: Run): string {
  let text = ''
  for (const root of roots) {
    if (root.kind === 'own') throw new Inexpressible()
    const value = root.kind === 'typename' ? root.text : writeOutcome(root, run)
    text += (text === '' ? '' : ',') + root.label + value
  }
  return `{"data":{${text}}}`
}

function writeOutcome(root: RootSelection, run: Run): string {
  const outcome = run.known(root.key)
  if (outcome === undefined || 'error' in outcome) throw new Inexpressible()
  const { refusals, entries } = outcome.result
  // Lifecycles of writes may have received the entry as an object.
  if (refusals.size > 0 || entries !== undefined) throw new Inexpressible()
  const { rows, page, change } = outcome.result
  return writeRoot(root.output, rows, page, change)
}
