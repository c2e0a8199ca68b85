// Logs in and out, and changes the password of the user.

import { ask, askBody } from './http.ts'
import { deleteToken, keepToken, replaceToken } from './storage.ts'

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
