// Checks one attribute of a schema (B-10.10 to B-10.26). The targets and components it names are checked in
// registry.ts, when all types are known.

import { suggestion } from '../nearest.ts'
import { commonOptions, usualOptions } from './attribute-types.ts'
import { checkBounds } from './bounds.ts'
import type { AttributeDefinition } from './content-type.ts'
import { checkDefault } from './default.ts'
import { checkEnumeration } from './enumeration.ts'
import type { Fail } from './fault-list.ts'
import { findRegexFault } from './regex.ts'
import { typoOf } from './typo.ts'

const relationKinds = [
  'oneToOne',
  'oneToMany',
  'manyToOne',
  'manyToMany',
  'morphToOne',
  'morphToMany',
  'morphOne',
  'morphMany',
]

const switches = [
  'required',
  'unique',
  'private',
  'writable',
  'searchable',
  'repeatable',
  'multiple',
  'indexed',
  'useJoinTable',
]

/** Checks names, types and values of an attribute's options. */
export function checkDefinition(definition: AttributeDefinition, fail: Fail, warn: Fail): void {
  checkOptionNames(definition, fail, warn)
  for (const option of switches) {
    const value = definition[option]
    if (value !== undefined && typeof value !== 'boolean' && !(option === 'unique' && typeof value === 'string')) {
      fail(option, 'must be true or false')
    }
  }
  const { columnName = null } = definition
  if (columnName !== null && (typeof columnName !== 'string' || columnName === '')) {
    fail('columnName', 'must be the name of a column')
  }
  checkBounds(definition, fail)
  if (definition.regex !== undefined) {
    const fault = findRegexFault(definition.regex)
    if (fault !== null) fail('regex', fault)
  }
  if (definition.type === 'enumeration') checkEnumeration(definition, fail)
  if (definition.type === 'relation') checkRelation(definition, fail)
  if (definition.type === 'component' && typeof definition.component !== 'string') fail('component', 'is missing')
  if (definition.type === 'customField' && typeof definition.customField !== 'string') fail('customField', 'is missing')
  if (definition.type === 'dynamiczone') checkZone(definition, fail)
  checkDefault(definition, warn)
}

/**
 * Accepts unknown options, which may belong to plugins, but refuses misspelt ones, which would silently not be
 * enforced.
 */
function checkOptionNames(definition: AttributeDefinition, fail: Fail, warn: Fail): void {
  for (const option of Object.keys(definition)) {
    if (commonOptions.includes(option) || usualOptions.includes(option)) continue
    const meant = findMeantOption(option)
    if (meant !== null) {
      fail(option, `unknown option, did you mean "${meant}"?`)
      continue
    }
    const hint = suggestion(option, commonOptions)
    if (hint !== '') warn(option, `unknown option${hint} It is accepted, because it may belong to a plugin`)
  }
}

/** The known option of which this one is a misspelling, or null. */
export function findMeantOption(option: string): string | null {
  return commonOptions.includes(option) || usualOptions.includes(option) ? null : typoOf(option, commonOptions)
}

function checkRelation(definition: AttributeDefinition, fail: Fail): void {
  const { relation, target } = definition
  if (typeof relation !== 'string') {
    fail('relation', 'is missing')
    return
  }
  if (!relationKinds.includes(relation)) {
    fail('relation', `unknown relation "${relation}"${suggestion(relation, relationKinds)}`)
    return
  }
  const morph = relation === 'morphToOne' || relation === 'morphToMany'
  if (!morph && typeof target !== 'string') fail('target', 'is missing')
  if ((relation === 'morphOne' || relation === 'morphMany') && typeof definition.morphBy !== 'string') {
    fail('morphBy', 'is missing')
  }
  for (const option of ['inversedBy', 'mappedBy']) {
    const value = definition[option]
    if (value !== undefined && typeof value !== 'string')
      fail(option, `must name the relation of the other side, found ${JSON.stringify(value)}`)
  }
  if (definition.inversedBy !== undefined && definition.mappedBy !== undefined) {
    fail('mappedBy', 'a relation must not have both inversedBy and mappedBy')
  }
}

function checkZone({ components }: AttributeDefinition, fail: Fail): void {
  if (!Array.isArray(components)) {
    fail('components', 'must be a list of components')
    return
  }
  for (const [i, uid] of components.entries()) {
    if (typeof uid !== 'string') fail(`components.${i}`, `must name a component, found ${JSON.stringify(uid)}`)
  }
}
