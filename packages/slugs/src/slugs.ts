// Makes values of attributes of the type `uid` from their targets, and finds those that are free. What is taken is asked of
// the table, past all rules: the database would refuse a value of an entry that the caller cannot see, too. Knows no
// requests.

import type { ContentType, Kernel, ScalarAttribute } from '@plinth/kernel'
import slugify from '@sindresorhus/slugify'

/** An attribute of the type `uid`, and its content type. */
export interface SlugField {
  readonly type: ContentType
  readonly attribute: ScalarAttribute
}

type Data = Readonly<Record<string, unknown>>

/** The number of values that are looked for at once. */
const batch = 50

/** The attributes of the type `uid` of a content type. */
export function slugsOf({ attributes }: ContentType): readonly ScalarAttribute[] {
  return [...attributes.values()].filter(
    (one): one is ScalarAttribute => one.kind === 'scalar' && one.type === 'uid' && !one.readonly,
  )
}

/** The text that a value is made of; null if the target has none. */
export function targetTextOf({ definition }: ScalarAttribute, data: Data): string | null {
  const text = data[String(definition.targetField)]
  return (typeof text === 'string' && text.trim() !== '') || typeof text === 'number' ? String(text) : null
}

/** The value that data gives: that of the target, else of the default, else of the name of the type, as in v4. */
export function slugFor({ type, attribute }: SlugField, data: Data): string {
  const { default: fallback, options } = attribute.definition
  const texts = [targetTextOf(attribute, data), fallback, type.singularName]
  for (const text of texts) {
    const slug = typeof text === 'string' ? slugify(text, options ?? {}) : ''
    if (slug !== '') return slug
  }
  return type.singularName
}

/** Returns whether no entry has the value, whoever may see it. */
export async function isFree(kernel: Kernel, field: SlugField, value: string): Promise<boolean> {
  return (await takenOf(kernel, field, [value])).size === 0
}

/** Returns the value if it is free; otherwise the first free one of `<value>-1`, `<value>-2` and so on. */
export async function findFree(kernel: Kernel, field: SlugField, value: string): Promise<string> {
  let candidates = [value]
  for (let next = 1; ; next += batch) {
    const takenValues = await takenOf(kernel, field, candidates)
    const free = candidates.find(one => !takenValues.has(one.toLowerCase()))
    if (free !== undefined) return free
    candidates = Array.from({ length: batch }, (_, i) => `${value}-${next + i}`)
  }
}

/** The values that entries have, in lower case, as the unique index of the column compares them. */
async function takenOf(
  kernel: Kernel,
  { type, attribute }: SlugField,
  values: readonly string[],
): Promise<Set<string>> {
  const { column } = attribute
  // In a transaction of the caller, if there is one: a statement past it could wait for it.
  const rows = await kernel.transaction(async ({ knex }) => knex(type.table).whereIn(column, values).select(column))
  return new Set(rows.map(row => String(row[column]).toLowerCase()))
}
