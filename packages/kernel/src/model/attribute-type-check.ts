// Checks the fields of an attribute type at run time, for plugins that are written without types.

import { checkFunction, checkOneOf, checkSync, checkWords, shown, type Words } from '../registration/checks.ts'
import type { Refuse } from '../registration/registrar.ts'
import { type AliasType, type Family, type ScalarType, storages } from './attribute-types.ts'

const families: Readonly<Record<Family, true>> = {
  text: true,
  enumeration: true,
  integer: true,
  biginteger: true,
  number: true,
  boolean: true,
  date: true,
  time: true,
  datetime: true,
  json: true,
  blocks: true,
}

const scalarWords: Words<ScalarType> = {
  storage: 'needed',
  family: 'needed',
  search: 'optional',
  secret: 'optional',
  maxBytes: 'optional',
  unique: 'optional',
  valueType: 'optional',
  prepare: 'optional',
  check: 'optional',
}

const aliasWords: Words<AliasType> = {
  as: 'needed',
  isPassable: 'optional',
  isSortable: 'optional',
  isShownWithEntry: 'optional',
}

/** Refuses an attribute type that no database could store. */
export function checkAttributeType(type: ScalarType | AliasType, refuse: Refuse): void {
  if (type !== null && typeof type === 'object' && 'as' in type) {
    checkWords<AliasType>(type, aliasWords, refuse)
    checkSync('as', type.as, refuse)
    return
  }
  checkWords<ScalarType>(type, scalarWords, refuse)
  checkOneOf('storage', type.storage, storages, refuse)
  checkOneOf('family', type.family, Object.keys(families), refuse)
  if (type.search !== undefined) checkOneOf('search', type.search, ['text', 'number'], refuse)
  if (type.maxBytes !== undefined && (!Number.isInteger(type.maxBytes) || type.maxBytes < 1))
    refuse(`maxBytes must be a whole number above 0, found ${shown(type.maxBytes)}`)
  if (type.valueType !== undefined && typeof type.valueType !== 'string')
    refuse(`valueType must be the text of a TypeScript type, found ${shown(type.valueType)}`)
  checkFunction('prepare', type.prepare, refuse)
  checkSync('check', type.check, refuse)
}
