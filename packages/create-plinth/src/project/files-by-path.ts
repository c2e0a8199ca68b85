// The files of an application as data, and the input from which they are written.

import type { Choices } from '../choices.ts'

/** Texts by paths relative to the application. */
export type Files = Readonly<Record<string, string>>

/** The input from which the files are written. */
export interface ApplicationSource {
  readonly choices: Choices
  /** Ranges of packages that do not come from the registry. */
  readonly ranges: ReadonlyMap<string, string>
  /** Further packages with their ranges; an empty one stands for that of this release. */
  readonly more?: ReadonlyMap<string, string>
}
