// One step towards the model: its SQL, and what may be lost by it.

/**
 * `safe`: nothing is lost. `lossy`: values go that cannot come back; only done when named. `blocked`: cannot be done as the
 * rows are.
 */
export type Risk = 'safe' | 'lossy' | 'blocked'

export type StepKind = 'rename' | 'text' | 'create' | 'add' | 'retype' | 'index' | 'drop'

export interface MigrationStep {
  /** How a person names it: `drop:articles.rank`. */
  readonly name: string
  readonly kind: StepKind
  readonly risk: Risk
  /** What it does, in a sentence. */
  readonly says: string
  /** Why it is not safe; empty where it is. */
  readonly why: string
  readonly sql: readonly string[]
  /** In whose place it happens; null for tables that no type owns. */
  readonly uid: string | null
  /** What is done where rows refuse an index: another one that finds them. */
  readonly fallback?: Fallback
}

export interface Fallback {
  readonly sql: readonly string[]
  readonly warning: string
}

/** A step before the rows were looked at. */
export interface PlannedStep extends Omit<MigrationStep, 'risk' | 'why'> {
  /** Looks at the rows; none: the step is safe. */
  readonly probe?: Probe
}

/** What a look at the rows decides. */
export type Probe =
  /** `count` rows hold the text; none: there is nothing to do. */
  | { readonly kind: 'text'; readonly count: string }
  /** How many values there are and how many of them are bad, and the ids of those. */
  | { readonly kind: 'values'; readonly count: string; readonly bad: string; readonly widens: boolean }
  /** Values that several rows have. */
  | { readonly kind: 'clashes'; readonly find: string }
  /** Rows or values that go. */
  | { readonly kind: 'loss'; readonly count: string; readonly unit: string }
  /** Cannot be done whatever the rows. */
  | { readonly kind: 'never'; readonly why: string }

/** Does the model lack what the step brings? Leftovers and indexes change no answer. */
export function isMissed(step: MigrationStep): boolean {
  return step.kind !== 'drop' && step.kind !== 'index'
}

/** Does it only add, so that whoever knows nothing of it goes on as before? */
export function isAdditive(step: Pick<MigrationStep, 'kind'>): boolean {
  return step.kind === 'create' || step.kind === 'add' || step.kind === 'index'
}
