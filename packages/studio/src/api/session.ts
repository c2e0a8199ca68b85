// Logs in and out, and changes the password of the user.

import { queryString } from '../model/query-string.ts'
import { ask, askBody } from './http.ts'
import { start } from './start.ts'
import { type BegunLogin, deleteToken, keepBegunLogin, keepToken, replaceToken } from './storage.ts'

/** The user who is logged in. */
export interface User {
  readonly id: number
  readonly username: string
  readonly email: string
}

interface LoggedIn {
  readonly jwt: string
  readonly user: User
}

/** Logs in. Throws ApiError if the server refuses. */
export async function logIn(identifier: string, password: string, staysLoggedIn: boolean): Promise<User> {
  const body = { identifier, password }
  const { jwt, user } = await askBody<LoggedIn>({ method: 'POST', path: '/auth/local', body, isAnonymous: true })
  keepToken(jwt, staysLoggedIn)
  return user
}

/** A login by another provider that the server offers. */
export interface OfferedLogin {
  readonly name: string
  readonly label: string
  /** The page of the panel to which it leads. */
  readonly callback: string
}

export const listLogins = async (signal: AbortSignal): Promise<readonly OfferedLogin[]> =>
  (await askBody<{ readonly data: readonly OfferedLogin[] }>({ path: '/studio/logins', isAnonymous: true, signal }))
    .data

/** Leaves the page for that of a provider, which leads back to the panel. */
export function beginLogin({ name, label, callback }: OfferedLogin, how: Omit<BegunLogin, 'name' | 'label'>): void {
  keepBegunLogin({ name, label, ...how })
  location.assign(`${start.api}/connect/${encodeURIComponent(name)}${queryString({ callback })}`)
}

/** Ends a login that this tab has begun, with the code that the server has sent. Throws ApiError if it is refused. */
export async function finishLogin({ name, staysLoggedIn }: BegunLogin, code: string): Promise<void> {
  const path = `/auth/${encodeURIComponent(name)}/callback`
  const { jwt } = await askBody<LoggedIn>({ path, parameters: { access_token: code }, isAnonymous: true })
  keepToken(jwt, staysLoggedIn)
}

/** Deletes the token. */
export const logOut = deleteToken

/** The user whose token is kept. */
export const readUser = async (): Promise<User> => (await ask<User>({ path: '/users/me' })).body

/** Changes the password, which ends all other tokens of the user. */
export async function changePassword(currentPassword: string, password: string): Promise<void> {
  const body = { currentPassword, password, passwordConfirmation: password }
  const { jwt } = await askBody<LoggedIn>({ method: 'POST', path: '/auth/change-password', body })
  replaceToken(jwt)
}
