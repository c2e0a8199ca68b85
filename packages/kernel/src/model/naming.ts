// Computes the names that v4 gives to tables, columns, link tables and indexes (B-10.30 to B-10.36). It handles only
// strings; relations.ts decides which names a relation needs.

import snakeCase from 'lodash/snakeCase.js'

/**
 * Column of an attribute: `readingMinutes` → `reading_minutes`. It uses lodash, like v4, so that words are split in the
 * same places.
 */
export function columnName(attribute: string): string {
  return snakeCase(attribute)
}

/** All names of a link between two types (B-10.33). */
export interface LinkNames {
  readonly table: string
  readonly from: string
  readonly to: string
  readonly order: string
  readonly inverseOrder: string
}

/** Names of the link table of `attribute`, owned by a type with this table and singular name. */
export function linkNames(table: string, singular: string, attribute: string, target: string): LinkNames {
  const from = snakeCase(`${singular}_id`)
  const to = snakeCase(`${target}_id`)
  const order = snakeCase(`${target}_order`)
  const inverseOrder = snakeCase(`${singular}_order`)
  return {
    table: snakeCase(`${table}_${attribute}_links`),
    from,
    to: from === to ? `inv_${to}` : to,
    order,
    inverseOrder,
  }
}

/** The columns of a relation's link table; an order is `null` if the table does not have it (B-10.33). */
export interface LinkColumns {
  readonly from: string
  readonly to: string
  readonly order: string | null
  readonly inverseOrder: string | null
}

/** The properties of a relation that determine its columns. */
interface LinkShape {
  readonly relation: string
  readonly bidirectional: boolean
}

/** Columns of a relation owned by a type with this singular name. */
export function linkColumns({ relation, bidirectional }: LinkShape, singular: string, target: string): LinkColumns {
  const { from, to, order: place, inverseOrder } = linkNames('', singular, '', target)
  const order = relation.endsWith('ToMany') ? place : null
  const isOrdered = bidirectional && relation.startsWith('manyTo')
  // If both orders have the same name, one gets a prefix; a single order keeps its name.
  return {
    from,
    to,
    order,
    inverseOrder: !isOrdered ? null : inverseOrder === order ? `inv_${inverseOrder}` : inverseOrder,
  }
}

/** Table that links components to the rows of `table` (B-10.34). */
export function componentsTable(table: string): string {
  return `${table}_components`
}

/** Names of a morphToMany's table (B-10.35). */
export function morphNames(table: string, singular: string, attribute: string) {
  return {
    table: snakeCase(`${table}_${attribute}_morphs`),
    owner: snakeCase(`${singular}_id`),
    id: snakeCase(`${attribute}_id`),
    type: snakeCase(`${attribute}_type`),
  }
}
