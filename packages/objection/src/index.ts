// Objection models of the content types of a kernel, for authors of plugins and for graphs of writes. Knows no plugin and
// no transport.

import type { Kernel } from '@plinth/kernel'
import { databaseOf } from '@plinth/kernel/tables'
import { createModels, type Models } from './models.ts'

export type { Models } from './models.ts'

declare module '@plinth/kernel' {
  interface ErrorCodes {
    /** Code uses Objection models, but the package `objection` is not installed. */
    PLINTH_OBJECTION: true
  }
}

const modelsByKernel = new WeakMap<Kernel, Models>()

/**
 * Returns the models of the content types of a kernel that has started, always the same object. Inside a transaction their
 * queries use its connection. The first model throws UsageError if the package objection is not installed.
 */
export function modelsOf(kernel: Kernel): Models {
  const models = modelsByKernel.get(kernel) ?? createModels(kernel.contentTypes, databaseOf(kernel))
  modelsByKernel.set(kernel, models)
  return models
}
