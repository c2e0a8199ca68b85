// Reads the parameters of addresses. The router merges what it has checked with everything else that an address has, so
// pages read them by these functions once more.

import { start } from '../api/start.ts'

/** Returns whether an address is one of the panel. */
export const isOwnAddress = (address: unknown): address is string =>
  typeof address === 'string' && (address === start.path || address.startsWith(`${start.path}/`))

/** The address of now, with the path of the panel. */
export const addressNow = (): string => `${location.pathname}${location.search}`

type Search = Readonly<Record<string, unknown>>

export interface LoginSearch {
  /** The address to open after the login. An address of another site is not followed. */
  readonly next?: string
}

export const parseLoginSearch = ({ next }: Search): LoginSearch => (isOwnAddress(next) ? { next } : {})

export interface EntrySearch {
  readonly locale?: string
  /** The id of the entry of which a new one is made. */
  readonly from?: number
}

export const parseEntrySearch = ({ locale, from }: Search): EntrySearch => ({
  ...(typeof locale === 'string' && { locale }),
  ...(Number.isSafeInteger(from) && (from as number) > 0 && { from: from as number }),
})
