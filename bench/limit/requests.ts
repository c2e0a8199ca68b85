// The requests that the limit server makes to its database.

import type { ListPlan } from './plan.ts'

/** SQLite returns values, the servers return promises. */
export type Maybe<T> = T | Promise<T>

/** The data of a create; it is not validated. */
export interface Created {
  readonly title: string
  readonly slug?: string
  readonly summary?: string
  readonly body?: string
  readonly kind?: string
  readonly rating?: number
  readonly views?: number
  readonly featured?: boolean
  readonly publishedOn?: string
  readonly extra?: unknown
  readonly author?: number
  readonly categories?: readonly number[]
}

/** The requests of the bench, each answered with JSON text, or null if there is no such article. */
export interface Limit {
  readonly lists: Readonly<Record<ListPlan['kind'], (plan: ListPlan) => Maybe<string>>>
  findOne(id: number): Maybe<string | null>
  create(data: Created): Maybe<string>
  update(id: number, data: { readonly views: number }): Maybe<string | null>
}
