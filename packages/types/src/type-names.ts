// Chooses the names of the written types: the name of each content type and component, and the names derived from it, all
// distinct, and none that TypeScript or the written file itself uses.

import type { TypeDescription } from './description.ts'

/** The endings of the names that are written for one type. */
export const endings = [
  '',
  'Private',
  'Entry',
  'Links',
  'PrivateLinks',
  'Create',
  'Update',
  'Filters',
  'Field',
  'Sort',
  'Populate',
] as const

/** Names that the written file uses otherwise, and those that cannot be the names of types. */
const reserved: ReadonlySet<string> = new Set([
  'Plinth',
  'any',
  'bigint',
  'boolean',
  'never',
  'null',
  'number',
  'object',
  'string',
  'symbol',
  'undefined',
  'unknown',
  'void',
])

/** The names of the types by uid. A name that is taken is followed by a number. */
export function nameTypes(types: readonly TypeDescription[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  const takenNames = new Set<string>(reserved)
  for (const { uid, name } of types) {
    const wished = identifierOf(name)
    let chosen = wished
    for (let i = 2; endings.some(ending => takenNames.has(chosen + ending)); i++) chosen = `${wished}${i}`
    for (const ending of endings) takenNames.add(chosen + ending)
    names.set(uid, chosen)
  }
  return names
}

/** The name with only such characters as an identifier may have. A schema may choose any text. */
function identifierOf(name: string): string {
  const letters = name.replaceAll(/[^\p{ID_Continue}$]/gu, '')
  return /^[\p{ID_Start}$_]/u.test(letters) ? letters : `Type${letters}`
}
