// Holds what was read from the API, for all pages.

import { QueryClient } from '@tanstack/react-query'
import { isApiError } from '../api/errors.ts'

/** A read that the server refuses is not repeated. One that no server answers is, twice. */
const isWorthRepeating = (count: number, error: unknown) => count < 2 && isApiError(error) && error.status === 0

export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      retry: isWorthRepeating,
      staleTime: 30_000,
      // A form must not change because somebody has looked at another window.
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
    },
  },
})
