// The rules of roles as they are after the start: conditions by content type and operation. Knows neither settings nor
// requests.

import { type Condition, StartError, type Uid } from '@plinth/kernel'

/** The operations that a rule can be about. The total of a list is part of `find`. */
export const operations = ['find', 'findOne', 'create', 'update', 'delete'] as const
export type Operation = (typeof operations)[number]

/** The rules of one role about one operation of a content type. */
export interface OperationRule {
  /** The condition that entries must fulfil to be read, or to be changed; null: all entries may be. */
  readonly where: Condition | null
  /** The condition that an entry must fulfil after a creation or an update; null: anything. */
  readonly check: Condition | null
  /** True if few entries fulfil `where`, so that the database should begin with it. */
  readonly isNarrow: boolean
  /** Attributes that the operation may not use. */
  readonly hidden: readonly string[]
}

export type TypeRules = Readonly<Partial<Record<Operation, OperationRule>>>

/** The rules of a role, by content type. */
export type RoleRules = ReadonlyMap<Uid, TypeRules>

export const noRules: RoleRules = new Map()

/** The rules for callers who may see any entry of a type by its id. The attributes that the rules hide stay hidden. */
export function withoutRows(rules: RoleRules, uid: Uid): RoleRules {
  const own = rules.get(uid)
  if (own?.findOne === undefined) return rules
  return new Map(rules).set(uid, { ...own, findOne: { ...own.findOne, where: null, isNarrow: false } })
}

/** A mistake in a rule; `path` is its place in the settings. Several are reported together. */
export class RuleFault extends StartError {
  constructor(path: string, fault: string) {
    super('PLINTH_PLUGIN_CONFIG', `${path}: ${fault}`)
    this.name = 'RuleFault'
  }
}
