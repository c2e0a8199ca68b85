// A step of a migration: its SQL, and its risk.

/**
 * `safe`: loses nothing. `lossy`: loses values for good; only runs when named. `blocked`: cannot run with the current
 * rows.
 */
export type Risk = 'safe' | 'lossy' | 'blocked'

export type StepKind =
  | 'rename'
  | 'text'
  | 'create'
  | 'add'
  | 'retype'
  | 'loosen'
  | 'index'
  | 'moments'
  | 'show'
  | 'delete'
  | 'drop'

export interface MigrationStep {
  /** The name by which the user selects it: `drop:articles.rank`. */
  readonly name: string
  readonly kind: StepKind
  readonly risk: Risk
  /** A sentence that says what it does. */
  readonly says: string
  /** The reason for which it is not safe; empty if it is. */
  readonly why: string
  readonly sql: readonly string[]
  /** The type that the step belongs to; null for tables that no type owns. */
  readonly uid: string | null
  /** The table and column that the step is about, if it is about one. */
  readonly column?: { readonly table: string; readonly name: string }
  /** True if the step runs beside all others, while others read and write: nothing but speed depends on it. */
  readonly isOnline?: boolean
  /** True if the step drops indexes that the model does not name. */
  readonly dropsIndexes?: boolean
  /**
   * Statements of `sql` that end with a condition and change many rows of a table. Where each statement commits by itself,
   * they run for a range of ids at a time.
   */
  readonly ranged?: { readonly table: string; readonly texts: readonly string[] }
  /** Replaces an index that the rows do not allow, with one that finds the duplicates. */
  readonly fallback?: Fallback
}

export interface Fallback {
  /** The index that is replaced, as the divergence names it. */
  readonly index: string
  readonly sql: readonly string[]
  readonly warning: string
}

/** A step whose risk is not determined yet. */
export interface PlannedStep extends Omit<MigrationStep, 'risk' | 'why'> {
  /** True if the rows are counted at a start too, where those of other leftovers are not. */
  readonly counts?: boolean
  /** Reads the rows to determine the risk; without it, the step is safe. */
  readonly probe?: Probe
}

/** The way in which the risk is determined from the rows. */
export type Probe =
  /** `count` counts rows that hold the text; with none, there is nothing to do. */
  | { readonly kind: 'text'; readonly count: string }
  /** Counts all values and bad ones, and finds the ids of the bad ones. */
  | {
      readonly kind: 'values'
      readonly count: string
      readonly bad: string
      readonly widens: boolean
      /** The reason for which bad values are bad, if it is not their form. */
      readonly why?: string
    }
  /** Finds values that several rows have. */
  | { readonly kind: 'clashes'; readonly find: string }
  /** Counts rows or values that would be lost. */
  | {
      readonly kind: 'loss'
      readonly count: string
      readonly unit: string
      /** Counts entries that the loss would show; while there are any, the step is blocked. */
      readonly withheld?: { readonly count: string; readonly why: string }
    }
  /** Counts hidden entries, which the step shows or deletes; with none, there is nothing to do. */
  | { readonly kind: 'withheld'; readonly count: string; readonly entries: string; readonly verb: string }
  /** Cannot be done if `count` counts anything. */
  | { readonly kind: 'unless'; readonly count: string; readonly why: string }
  /** Cannot be done with any rows. */
  | { readonly kind: 'never'; readonly why: string }

/**
 * Returns whether the model needs what the step adds or changes. Leftovers and indexes change no answer, and moments
 * that are text are read as such.
 */
export function isMissed(step: MigrationStep): boolean {
  return step.kind !== 'drop' && step.kind !== 'index' && step.kind !== 'moments'
}

/** Kinds of steps that only add or allow more, so that code that does not know of them goes on unaffected. */
const additive: ReadonlySet<StepKind> = new Set<StepKind>(['create', 'add', 'loosen', 'index', 'moments'])

/** Returns whether the step only adds, or only allows more. */
export function isAdditive(step: Pick<MigrationStep, 'kind'>): boolean {
  return additive.has(step.kind)
}

/** Returns whether the step changes the type of a column without losing a value or an index. */
export function isSafeConversion({ kind, risk, dropsIndexes }: MigrationStep): boolean {
  return kind === 'retype' && risk === 'safe' && dropsIndexes !== true
}

/** Returns whether the step decides what becomes of hidden entries: only its user can choose. */
export function isDecision({ kind }: Pick<MigrationStep, 'kind'>): boolean {
  return kind === 'show' || kind === 'delete'
}
