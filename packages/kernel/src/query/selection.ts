// Parses the clauses that are allowed at the root of a query and in every populate, in the order in which v4 reports
// errors.

import { parseFields } from './fields.ts'
import { parseFilters } from './filters.ts'
import { parseParameters } from './parameters.ts'
import { parsePopulate } from './populate.ts'
import type { Selection } from './query.ts'
import type { ShapeBuilder } from './shape.ts'
import { parseSort } from './sort.ts'

/** Parses fields, filters, sort, populate and plugins' parameters of `params`; other keys are ignored (B-2.4). */
export function parseSelection(
  writer: ShapeBuilder,
  params: Record<string, unknown>,
  path: string,
  depth: number,
): Selection {
  const at = (name: string) => (path === '' ? name : `${path}.${name}`)
  const filters = parseFilters(writer, params.filters, at('filters'))
  const sort = parseSort(writer, params.sort, at('sort'))
  const fields = parseFields(writer, params.fields, at('fields'))
  const populate = parsePopulate(writer, params.populate, at('populate'), depth)
  const parameters = parseParameters(writer, params, path)
  return { filters, sort, fields, populate, parameters }
}
