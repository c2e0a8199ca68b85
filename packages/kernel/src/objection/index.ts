// `@plinth/kernel/objection`: models of Objection for plugin authors and their write graphs. An application that uses them
// installs the package objection; nothing else needs it.

import type { Database } from '../database/database.ts'
import type { Registry } from '../model/registry.ts'
import { createModels, type Models } from './models.ts'

export type { Models } from './models.ts'

/** The part of a kernel that models use. */
export interface Modelled {
  readonly contentTypes: Registry
  /** @internal */
  readonly database: Database
}

const made = new WeakMap<Modelled, Models>()

/**
 * The models of the content types of a kernel that has started, always the same ones. Inside a transaction their queries
 * use its connection. The first model throws UsageError if the package objection is not installed.
 */
export function modelsOf(kernel: Modelled): Models {
  const known = made.get(kernel) ?? createModels(kernel.contentTypes, kernel.database)
  made.set(kernel, known)
  return known
}
