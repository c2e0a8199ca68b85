// Finds users whose names equal others but for case. Databases fold case in different ways (LOWER of SQLite knows ASCII
// alone, that of PostgreSQL depends on a locale), and old tables hold names as they were typed. Therefore SQL finds those
// that may be equal, by functions that all databases have, and JavaScript decides. Knows no rules about who may be equal.

import { type Kernel, PlinthError, type ScalarAttribute } from '@plinth/kernel'
import { foldName, normalizeName } from './names.ts'
import { userUid } from './user-type.ts'

/** The attributes of users that are names. */
export const nameAttributes = ['username', 'email'] as const
export type NameAttribute = (typeof nameAttributes)[number]

/** A name that is looked for in an attribute. */
export interface SearchedName {
  readonly attribute: NameAttribute
  readonly name: string
}

type Row = Readonly<Record<string, unknown>>

/**
 * Databases refuse expressions that are nested much deeper. Names of so many different letters are found as the database
 * folds case; columns of 255 characters hold few of them.
 */
const maxReplacements = 400

/** Searches the table of users. A search reads all names, so it is for names that change, not for logins. */
export class EqualNames {
  readonly #kernel: Kernel
  /** True if a column has refused texts of other character sets than its own. */
  #isNarrow = false

  constructor(kernel: Kernel) {
    this.#kernel = kernel
  }

  /**
   * The attributes in which another user than `except` has one of the names, in any case. `knex` is that of the
   * transaction in which the names are written, or that of the kernel.
   */
  async findTaken(
    knex: Kernel['knex'],
    names: readonly SearchedName[],
    except: number | null,
  ): Promise<Set<NameAttribute>> {
    const attributes = new Set<NameAttribute>()
    if (names.length === 0) return attributes
    for (const row of await this.#search(knex, names)) {
      if (Number(row.id) === except) continue
      for (const { attribute, name } of names)
        if (foldName(String(row[attribute] ?? '')) === foldName(name)) attributes.add(attribute)
    }
    return attributes
  }

  async #search(knex: Kernel['knex'], names: readonly SearchedName[]): Promise<readonly Row[]> {
    const isDeep = names.some(({ name }) => replacements(foldName(name)).length > maxReplacements)
    if (this.#isNarrow || isDeep) return this.#searchNarrow(names)
    try {
      return await this.#searchFolded(knex, names)
    } catch (error) {
      // An outage is an error of the kernel. What the driver throws is that a column is not in Unicode.
      if (error instanceof PlinthError) throw error
      const rows = await this.#searchNarrow(names)
      this.#isNarrow = true
      return rows
    }
  }

  async #searchFolded(knex: Kernel['knex'], names: readonly SearchedName[]): Promise<readonly Row[]> {
    const { table, attributes } = this.#kernel.contentTypes.require(userUid)
    const columnOf = (name: NameAttribute) => (attributes.get(name) as ScalarAttribute).column
    return knex(table)
      .select('id', Object.fromEntries(nameAttributes.map(name => [name, columnOf(name)])))
      .where(query => {
        for (const { attribute, name } of names) {
          const { text, values } = mayEqual(columnOf(attribute), name)
          query.orWhereRaw(text, values)
        }
      })
  }

  /** By filters, which know the character sets of columns, and fold case as the database does. */
  #searchNarrow(names: readonly SearchedName[]): Promise<readonly Row[]> {
    const spellings = (name: string) => new Set([name, foldName(name), name.toUpperCase()])
    const $or = names.flatMap(({ attribute, name }) =>
      [...spellings(name)].map(text => ({ [attribute]: { $eqi: text } })),
    )
    const pagination = { limit: -1, withCount: false }
    return this.#kernel.query(userUid).findMany({ filters: { $or }, fields: nameAttributes, pagination })
  }
}

/** A test of SQL that all stored names pass that equal `name` but for case, and few others. */
function mayEqual(column: string, name: string): { readonly text: string; readonly values: string[] } {
  const folded = foldName(name)
  const pairs = replacements(folded)
  const text = pairs.reduce(inner => `REPLACE(${inner}, ?, ?)`, 'LOWER(??)')
  return { text: `${text} = ?`, values: [column, ...pairs.flat(), folded] }
}

/**
 * Lists what is replaced in a stored name, whose ASCII letters are in lower case, until it is `folded`. Exported for a
 * test of all letters.
 */
export function replacements(folded: string): readonly (readonly [string, string])[] {
  const pairs: [string, string][] = []
  for (const letter of new Set(folded)) {
    if (letter <= '\x7f') continue
    const upper = normalizeName(letter.toUpperCase())
    if ([...upper].length === 1) pairs.push([upper, letter])
    // Sequences come first: a part of one can be another letter.
    else pairs.unshift([upper.replace(/[A-Z]/g, one => one.toLowerCase()), letter], [upper.toLowerCase(), letter])
  }
  unusual ??= findUnusual()
  for (const [letter, form] of unusual) if (folded.includes(form)) pairs.push([letter, form])
  return pairs.filter(([from, to]) => from !== to)
}

/** Letters whose folded form is not their lower case, or has several letters. */
let unusual: readonly (readonly [string, string])[] | null = null

/** The blocks of Unicode that have such letters: Latin, Greek, Cyrillic, and Greek with iota. */
const blocks = [
  [0xdf, 0x149],
  [0x345, 0x3ff],
  [0x1c80, 0x1c8a],
  [0x1e90, 0x1e9e],
  [0x1f80, 0x1ffc],
] as const

function findUnusual(): [string, string][] {
  const pairs: [string, string][] = [['i\u0307', 'i']]
  for (const [first, last] of blocks) {
    for (let code = first; code <= last; code++) {
      const letter = String.fromCodePoint(code)
      const form = foldName(letter)
      const isUsual = form === letter || (form.length === 1 && form.toUpperCase() === letter)
      if (!isUsual && form !== '') pairs.push([letter, form])
    }
  }
  return pairs
}
