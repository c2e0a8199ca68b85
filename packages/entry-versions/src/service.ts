// Offers versions and conditions to code of plugins and applications.

import { type Context, systemAccess } from '@plinth/kernel'
import { addCondition, Condition } from './condition.ts'
import type { VersionTools } from './write-checks.ts'

/** A version that an entry must have. */
export interface RequiredVersion {
  readonly uid: string
  readonly id: number
  readonly version: string
}

/** `kernel.plugin('entry-versions').service('versions')`. */
export interface VersionService {
  /** Returns the version of an entry, as the transaction of the caller sees it; null if there is no entry. */
  of(uid: string, id: number): Promise<string | null>
  /**
   * Returns a context like the passed one, by default with all rights, for one update or deletion: it is refused with
   * PreconditionFailedError if the entry has another version when it is locked.
   */
  requiring(required: RequiredVersion, context?: Context): Context
}

declare module '@plinth/kernel' {
  interface Services {
    readonly 'entry-versions.versions': VersionService
  }
}

export function serviceOf({ kernel, versions }: VersionTools): VersionService {
  return {
    async of(uid, id) {
      return (await versions.of(kernel.contentTypes.require(uid), [id])).get(id)?.version ?? null
    },
    requiring({ uid, id, version }, context = kernel.context(systemAccess)) {
      const own = { ...context, state: { ...context.state } }
      addCondition(own, new Condition({ uid: kernel.contentTypes.require(uid).uid, id }, [version]))
      return own
    },
  }
}
