// What a query string asks for, remembered by its text: clients repeat a few dozen of them.

export interface ListPlan {
  readonly kind: 'plain' | 'byTitle' | 'byAuthor' | 'withRelations' | 'withMedia' | 'deep'
  readonly page: number
  readonly pageSize: number
  readonly authorName: string
}

const REMEMBERED = 1000
const plans = new Map<string, ListPlan>()

export function planOf(queryString: string): ListPlan {
  const known = plans.get(queryString)
  if (known !== undefined) return known
  const plan = parse(new URLSearchParams(queryString))
  if (plans.size >= REMEMBERED) plans.delete(plans.keys().next().value!)
  plans.set(queryString, plan)
  return plan
}

function parse(parameters: URLSearchParams): ListPlan {
  return {
    kind: kindOf(parameters),
    page: Number(parameters.get('pagination[page]') ?? 1),
    pageSize: Number(parameters.get('pagination[pageSize]') ?? 25),
    authorName: parameters.get('filters[author][name][$eq]') ?? '',
  }
}

function kindOf(parameters: URLSearchParams): ListPlan['kind'] {
  if (parameters.has('filters[author][name][$eq]')) return 'byAuthor'
  if (parameters.has('populate[comments][populate][0]')) return 'deep'
  if (parameters.get('populate[0]') === 'cover') return 'withMedia'
  if (parameters.has('populate[0]')) return 'withRelations'
  return parameters.get('sort') === 'title' ? 'byTitle' : 'plain'
}
