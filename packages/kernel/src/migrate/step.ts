// A step of a migration: its SQL, and its risk.

/**
 * `safe`: loses nothing. `lossy`: loses values for good; only runs when named. `blocked`: cannot run with the current
 * rows.
 */
export type Risk = 'safe' | 'lossy' | 'blocked'

export type StepKind = 'rename' | 'text' | 'create' | 'add' | 'retype' | 'index' | 'drop'

export interface MigrationStep {
  /** The name by which the user selects it: `drop:articles.rank`. */
  readonly name: string
  readonly kind: StepKind
  readonly risk: Risk
  /** A sentence that says what it does. */
  readonly says: string
  /** Why it is not safe; empty if it is. */
  readonly why: string
  readonly sql: readonly string[]
  /** The type that the step belongs to; null for tables that no type owns. */
  readonly uid: string | null
  /** Replaces an index that the rows do not allow, with one that finds the duplicates. */
  readonly fallback?: Fallback
}

export interface Fallback {
  readonly sql: readonly string[]
  readonly warning: string
}

/** A step whose risk is not determined yet. */
export interface PlannedStep extends Omit<MigrationStep, 'risk' | 'why'> {
  /** Reads the rows to determine the risk; without it, the step is safe. */
  readonly probe?: Probe
}

/** How the risk is determined from the rows. */
export type Probe =
  /** `count` counts rows that hold the text; with none, there is nothing to do. */
  | { readonly kind: 'text'; readonly count: string }
  /** Counts all values and bad ones, and finds the ids of the bad ones. */
  | { readonly kind: 'values'; readonly count: string; readonly bad: string; readonly widens: boolean }
  /** Finds values that several rows have. */
  | { readonly kind: 'clashes'; readonly find: string }
  /** Counts rows or values that would be lost. */
  | { readonly kind: 'loss'; readonly count: string; readonly unit: string }
  /** Cannot be done with any rows. */
  | { readonly kind: 'never'; readonly why: string }

/** Whether the model needs what the step adds or changes. Leftovers and indexes change no answer. */
export function isMissed(step: MigrationStep): boolean {
  return step.kind !== 'drop' && step.kind !== 'index'
}

/** Whether the step only adds, so that code that does not know of it goes on unaffected. */
export function isAdditive(step: Pick<MigrationStep, 'kind'>): boolean {
  return step.kind === 'create' || step.kind === 'add' || step.kind === 'index'
}
