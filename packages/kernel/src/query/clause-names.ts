// The names of the parts of a query, as clients and code send them. Only names: what each holds is read elsewhere.

/** Clauses below `populate`, which has some that only relations or only zones have. */
export const belowPopulate = [
  'filters',
  'sort',
  'fields',
  'populate',
  'on',
  'count',
  'start',
  'limit',
  'ordering',
  'page',
  'pageSize',
] as const

/** The members of `pagination`. */
export const ofPagination = ['page', 'pageSize', 'start', 'limit', 'withCount'] as const
