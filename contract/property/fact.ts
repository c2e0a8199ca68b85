/** The steps of programs that have succeeded, as data. */

import type { Step } from './programs.ts'

/** A step that is not a transaction. */
export type Single = Exclude<Step, { do: 'transaction' }>

/** An acknowledged step: one that succeeded, alone or in a transaction that was committed. */
export interface Fact {
  readonly step: Single
  readonly answer: Readonly<Record<string, unknown>> | null
  readonly began: number
  readonly ended: number
}
