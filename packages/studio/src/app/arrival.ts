// Takes the code of a login by another provider out of the address, before anything else of the panel looks at it. It must
// not be rendered, kept in the history, or sent in a referrer.

/** The result of a login by a provider: the code of the server, or the error of the provider. */
export interface Arrival {
  readonly code: string | null
  readonly error: string | null
}

let arrival: Arrival = { code: null, error: null }

/** Reads the parameters of a login if the page is the one to which logins lead, and replaces the address at once. */
export function cleanAddress(path: string): void {
  if (!location.pathname.startsWith(`${path}/connect/`)) return
  const parameters = new URLSearchParams(location.search)
  arrival = { code: parameters.get('access_token'), error: parameters.get('error') }
  history.replaceState(history.state, '', location.pathname)
}

/** Returns the result, once. */
export function takeArrival(): Arrival {
  const result = arrival
  arrival = { code: null, error: null }
  return result
}
