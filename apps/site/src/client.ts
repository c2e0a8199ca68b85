// The client of the magazine's server, and who uses it. The token is kept for the tab alone.

import { createClient } from '@plinth/client'

export const client = createClient({
  url: import.meta.env.VITE_PLINTH_URL ?? 'http://localhost:1337',
  flat: true,
  token: () => sessionStorage.getItem('jwt'),
})

/** The name of the user; null for the public. */
export const userName = (): string | null => sessionStorage.getItem('user')

export async function logIn(identifier: string, password: string): Promise<void> {
  const { jwt, user } = await client.withToken(null).login({ identifier, password })
  sessionStorage.setItem('jwt', jwt)
  sessionStorage.setItem('user', user.username)
}

export const logOut = (): void => sessionStorage.clear()

/** Returns whether drafts are shown, which editors may see. */
export const isPreview = (): boolean => sessionStorage.getItem('preview') === 'on'

export function setPreview(isOn: boolean): void {
  sessionStorage.setItem('preview', isOn ? 'on' : 'off')
}

/** Returns the parameters for drafts of every request for articles. */
export const drafts = () => ({ publicationState: isPreview() ? 'preview' : 'live' }) as const
