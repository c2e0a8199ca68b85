// The `meta` of lists that extensions make: the pagination that the arguments of their field ask for, and the number of
// entries that the caller could list with them, as in v4.

import type { Context, Kernel } from '@plinth/kernel'
import type { ResponseInfo } from '../answer/source.ts'
import { filtersOf } from '../operation/filters.ts'
import { type Page, pageMembers, pageOf } from '../operation/page.ts'
import type { QuestionRules } from '../operation/question.ts'

interface Tools {
  readonly kernel: Kernel
  readonly rules: QuestionRules
}

/** A list of an extension. `info` is what it was made with; without it all entries are one page. */
interface List {
  readonly info: unknown
  readonly entries: unknown
}

export async function countList({ info, entries }: List, { kernel, rules }: Tools, context: Context): Promise<object> {
  if (!isResponseInfo(info)) {
    const count = Array.isArray(entries) ? entries.length : 0
    return { pagination: pageMembers({ start: 0, limit: Math.max(1, count) }, count) }
  }
  const { args, resourceUID: uid } = info
  const type = kernel.contentTypes.require(uid)
  const params: Record<string, unknown> = {}
  for (const { name, for: isFor } of kernel.parameters.values())
    if (isFor(type) && args[name] !== undefined && args[name] !== null) params[name] = args[name]
  if (typeof args.filters === 'object' && args.filters !== null)
    params.filters = filtersOf(args.filters as Readonly<Record<string, unknown>>, type, rules.types)
  const { total } = await kernel.reader.read({ uid, action: 'count', params, isAuthorized: true }, context)
  return { pagination: pageMembers(pageFor(args, rules), total ?? 0) }
}

/** The page of arguments; extensions may have taken `start` and `limit` out of `pagination`. */
function pageFor(args: ResponseInfo['args'], rules: QuestionRules): Page {
  const { pagination, start, limit } = args
  return pageOf((pagination ?? { start, limit }) as Parameters<typeof pageOf>[0], rules)
}

function isResponseInfo(info: unknown): info is ResponseInfo {
  if (typeof info !== 'object' || info === null) return false
  const { args, resourceUID } = info as Partial<ResponseInfo>
  return typeof args === 'object' && args !== null && typeof resourceUID === 'string'
}
