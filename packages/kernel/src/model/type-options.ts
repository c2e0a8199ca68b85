// The `options` of a type (B-10.4): what they may be, and whether the names in `privateAttributes` name anything.

import { type TSchema, Type } from '#typebox'
import { InvalidSchemaError } from '../errors.ts'
import { suggestion } from '../nearest.ts'
import type { TypeDraft } from './draft.ts'
import type { FaultList } from './fault-list.ts'
import { findFaults } from './faults.ts'
import { typoOf } from './typo.ts'

/** Schemas of options by name. */
export type TypeOptionSchemas = Readonly<Record<string, TSchema>>

/** The options that the kernel itself has. */
export const ownTypeOptions: TypeOptionSchemas = { populateCreatorFields: Type.Boolean() }

/**
 * A switch that is no switch, or a misspelt list of private names, would leave open what should be closed. `known` are the
 * kernel's options and those of plugins; options that no plugin takes are only warned of (boot/warnings.ts).
 */
export function checkTypeOptions(
  options: Readonly<Record<string, unknown>>,
  known: ReadonlyMap<string, TSchema>,
  faults: FaultList,
): void {
  for (const [option, schema] of known) {
    const value = options[option]
    if (value === undefined || value === null) continue
    for (const { path, message } of findFaults(schema, value)) {
      const isSwitch = message === 'must be boolean'
      faults.add(`options.${option}${path === '' ? '' : `.${path}`}`, isSwitch ? 'must be true or false' : message)
    }
  }
  const fault = findNamesFault(options.privateAttributes ?? [])
  if (fault !== null) faults.add('options.privateAttributes', fault)
  for (const key of Object.keys(options)) {
    const meant = typoOf(key, [...known.keys(), 'privateAttributes'])
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
    if (typoOf(name, known) !== null) throw new InvalidSchemaError(draft.source, path, fault)
    warn(`${draft.source}: ${path}: ${fault}; nothing is hidden by it`)
  }
}
