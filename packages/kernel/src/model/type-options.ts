// The `options` of a type (B-10.4): what they may be, and whether the names in `privateAttributes` name anything.

import { InvalidSchemaError } from '../errors.ts'
import { suggestion } from '../nearest.ts'
import type { TypeDraft } from './draft.ts'
import type { FaultList } from './fault-list.ts'
import { slipOf } from './slip.ts'

const switches = ['draftAndPublish', 'populateCreatorFields']

/** A switch that is no switch, or a misspelt list of private names, would leave open what should be closed. */
export function checkTypeOptions(options: Readonly<Record<string, unknown>>, faults: FaultList): void {
  for (const option of switches) {
    const value = options[option] ?? false
    if (typeof value !== 'boolean') faults.add(`options.${option}`, 'must be true or false')
  }
  const fault = findNamesFault(options.privateAttributes ?? [])
  if (fault !== null) faults.add('options.privateAttributes', fault)
  for (const key of Object.keys(options)) {
    const meant = slipOf(key, [...switches, 'privateAttributes'])
    if (meant !== null) faults.add(`options.${key}`, `unknown option, did you mean "${meant}"?`)
  }
}

/** What is wrong with a list of attributes' names, or null. */
export function findNamesFault(names: unknown): string | null {
  const isList = Array.isArray(names) && names.every(name => typeof name === 'string')
  return isList ? null : `must be a list of attributes' names, found ${JSON.stringify(names)}`
}

/** Attributes of every entry, or of those with an option; to make them private is never a slip. Plugins' own are in the draft. */
const systemNames = ['id', 'createdAt', 'updatedAt', 'createdBy', 'updatedBy']

/**
 * A misspelt private name would answer what it should hide: throws InvalidSchemaError. A name that is like no attribute is
 * left over, or a plugin's that is switched off: it hides nothing, and that is said.
 */
export function checkPrivateNames(draft: TypeDraft, warn: (message: string) => void): void {
  const known = [...draft.attributes.keys(), ...systemNames]
  for (const [i, name] of (draft.options.privateAttributes ?? []).entries()) {
    if (known.includes(name)) continue
    const path = `options.privateAttributes.${i}`
    const fault = `${draft.uid} has no attribute "${name}"${suggestion(name, known)}`
    if (slipOf(name, known) !== null) throw new InvalidSchemaError(draft.source, path, fault)
    warn(`${draft.source}: ${path}: ${fault}; nothing is hidden by it`)
  }
}
