// Checks the `options` of a type (B-10.4), and whether the names in `privateAttributes` are attributes.

import { type TSchema, Type } from '#typebox'
import { InvalidSchemaError } from '../errors.ts'
import { suggestion } from '../nearest.ts'
import type { TypeDraft } from './draft.ts'
import type { FaultList } from './fault-list.ts'
import { findFaults } from './faults.ts'
import { typoOf } from './typo.ts'

/** Schemas of options by name. */
export type TypeOptionSchemas = Readonly<Record<string, TSchema>>

/** The kernel's own options. */
export const ownTypeOptions: TypeOptionSchemas = { populateCreatorFields: Type.Boolean() }

/**
 * Checks options: an invalid flag, or a misspelt list of private names, would expose what should be private. `schemas`
 * are those of the kernel's options and of plugins; unclaimed options only cause a warning (boot/warnings.ts).
 */
export function checkTypeOptions(
  options: Readonly<Record<string, unknown>>,
  schemas: ReadonlyMap<string, TSchema>,
  faults: FaultList,
): void {
  for (const [option, schema] of schemas) {
    const value = options[option]
    if (value === undefined || value === null) continue
    for (const { path, message } of findFaults(schema, value))
      faults.add(`options.${option}${path === '' ? '' : `.${path}`}`, message)
  }
  const fault = findNamesFault(options.privateAttributes ?? [])
  if (fault !== null) faults.add('options.privateAttributes', fault)
  for (const key of Object.keys(options)) {
    const meant = typoOf(key, [...schemas.keys(), 'privateAttributes'])
    if (meant !== null) faults.add(`options.${key}`, `unknown option, did you mean "${meant}"?`)
  }
}

/** The fault of a list of attribute names, or null. */
export function findNamesFault(names: unknown): string | null {
  const isList = Array.isArray(names) && names.every(name => typeof name === 'string')
  return isList ? null : `must be a list of names of attributes, found ${JSON.stringify(names)}`
}

/**
 * Attributes of every entry, or of entries with an option; they may always be private. Those of plugins are in the
 * draft.
 */
const systemNames = ['id', 'createdAt', 'updatedAt', 'createdBy', 'updatedBy']

/**
 * Throws InvalidSchemaError for a misspelt private name, which would answer what it should hide. A name that resembles
 * no attribute is obsolete, or belongs to a plugin that is not enabled: it hides nothing and causes a warning.
 */
export function checkPrivateNames(draft: TypeDraft, warn: (message: string) => void): void {
  const attributeNames = [...draft.attributes.keys(), ...systemNames]
  for (const [i, name] of (draft.options.privateAttributes ?? []).entries()) {
    if (attributeNames.includes(name)) continue
    const path = `options.privateAttributes.${i}`
    const fault = `${draft.uid} has no attribute "${name}"`
    const hint = suggestion(name, attributeNames)
    if (typoOf(name, attributeNames) !== null) throw new InvalidSchemaError(draft.source, path, fault + hint)
    warn(`${draft.source}: ${path}: ${fault}, so the name has no effect${hint}`)
  }
}

/**
 * Warns of names in config/api that no type or component has, because a misspelt one hides nothing. None is refused: v4's
 * files have names of old projects there, such as `created_at`.
 */
export function warnOfPrivateNames(
  names: readonly string[],
  drafts: ReadonlyMap<string, TypeDraft>,
  warn: (message: string) => void,
): void {
  const attributeNames = new Set([
    ...[...drafts.values()].flatMap(draft => [...draft.attributes.keys()]),
    ...systemNames,
  ])
  for (const name of names) {
    if (attributeNames.has(name)) continue
    const fault = `no type has an attribute "${name}", so the name has no effect${suggestion(name, attributeNames)}`
    warn(`config/api: responses.privateAttributes: ${fault}`)
  }
}
