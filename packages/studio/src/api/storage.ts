// Keeps small things in the browser: the token, and what the user prefers. No other file may use localStorage and
// sessionStorage. A browser that refuses both forgets them with the page.

const prefix = 'plinth-studio.'

const memory = new Map<string, string>()

function attempt<Result>(act: () => Result, otherwise: Result): Result {
  try {
    return act()
  } catch {
    return otherwise
  }
}

/** Reads a preference; null if there is none, or if it is not JSON. */
export function readPreference<Value>(name: string): Value | null {
  const text = attempt(() => localStorage.getItem(prefix + name), memory.get(name) ?? null)
  return text === null ? null : attempt(() => JSON.parse(text) as Value, null)
}

/** Keeps a preference. */
export function keepPreference(name: string, value: unknown): void {
  const text = JSON.stringify(value)
  memory.set(name, text)
  attempt(() => localStorage.setItem(prefix + name, text), undefined)
}

const tokenName = `${prefix}token`
let token: string | null = null

/** The token of the user; null if nobody is logged in. */
export function readToken(): string | null {
  token ??= attempt(() => sessionStorage.getItem(tokenName) ?? localStorage.getItem(tokenName), null)
  return token
}

/** Keeps the token until the tab is closed, or beyond that if the user wants to stay logged in. */
export function keepToken(value: string, staysLoggedIn: boolean): void {
  token = value
  attempt(() => (staysLoggedIn ? localStorage : sessionStorage).setItem(tokenName, value), undefined)
}

/** Replaces the token where it is kept, as after a change of the password. */
export function replaceToken(value: string): void {
  keepToken(
    value,
    attempt(() => localStorage.getItem(tokenName) !== null, false),
  )
}

export function deleteToken(): void {
  token = null
  attempt(() => sessionStorage.removeItem(tokenName), undefined)
  attempt(() => localStorage.removeItem(tokenName), undefined)
}

/** A login by another provider, from the moment at which the browser leaves the panel. */
export interface BegunLogin {
  readonly name: string
  readonly label: string
  readonly staysLoggedIn: boolean
  /** The address to open after the login. */
  readonly next: string | null
}

const begunName = `${prefix}login`

/** Keeps a login for the page to which it leads, in this tab alone. */
export function keepBegunLogin(login: BegunLogin): void {
  attempt(() => sessionStorage.setItem(begunName, JSON.stringify(login)), undefined)
}

/** The login that this tab has begun, once; null if it has begun none. */
export function takeBegunLogin(): BegunLogin | null {
  const text = attempt(() => sessionStorage.getItem(begunName), null)
  attempt(() => sessionStorage.removeItem(begunName), undefined)
  return text === null ? null : attempt(() => JSON.parse(text) as BegunLogin, null)
}
