// Removes the members of an object that Plinth has no setting for, and notes each.

import { bareOf, type Expression, type Member, membersOf } from '@plinth/v4/syntax'
import { type EditedText, removeMember } from './member-removal.ts'
import type { SettingNames } from './setting-names.ts'

/** A text that is being changed, and what was left out of it. */
export interface Edit extends EditedText {
  readonly left: string[]
}

/** An object of settings. */
export interface Settings {
  /** Its path, as the list names it. */
  readonly at: string
  readonly value: Expression
  readonly names: SettingNames
}

/** Removes what is not known, at every depth. */
export function removeUnknown(edit: Edit, { at, value, names }: Settings): void {
  for (const one of membersOf(bareOf(value)) ?? []) {
    const inner = Object.hasOwn(names, one.name) ? names[one.name] : undefined
    if (inner === undefined) drop(edit, `${at}.${one.name}`, one)
    else if (inner !== true) removeUnknown(edit, { at: `${at}.${one.name}`, value: one.value, names: inner })
  }
}

/** Removes a member for which there is no setting. */
export function drop(edit: Edit, path: string, member: Member): void {
  removeMember(edit, member)
  edit.left.push(`${path}: Plinth has no such setting, and the file is without it`)
}
