// The service `format` (v4's `plugin('graphql').service('format')`): makes what resolvers of extensions return for
// generated response types.

import type { ResponseInfo } from '../answer/source.ts'

/** The field that a response answers; its `meta` is made from it. */
type PartialInfo = Partial<ResponseInfo>

/** The value that resolvers return for `…EntityResponse` types. */
export interface EntityResponse {
  readonly value: unknown
  readonly info: PartialInfo
}

/** The value that resolvers return for `…EntityResponseCollection` types. */
export interface EntityResponseCollection {
  readonly nodes: readonly unknown[]
  readonly info: PartialInfo
}

/** The makers of responses. */
export interface FormatService {
  readonly returnTypes: {
    /** The response of one entry, or of none. */
    readonly toEntityResponse: (entry: unknown, info?: PartialInfo) => EntityResponse
    /** The response of a list; its pagination is that of `args`, and its total is counted for them. */
    readonly toEntityResponseCollection: (entries: readonly unknown[], info?: PartialInfo) => EntityResponseCollection
  }
}

export const formatService: FormatService = {
  returnTypes: {
    toEntityResponse: (entry, info = {}) => ({ value: entry ?? null, info }),
    toEntityResponseCollection: (entries, info = {}) => ({ nodes: entries, info }),
  },
}
