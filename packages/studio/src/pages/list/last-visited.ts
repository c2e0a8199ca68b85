// Remembers, for each type, which entry was opened last and which list it was opened from, so that one comes back to both.

const entries = new Map<string, number>()
const addresses = new Map<string, string>()

export const rememberVisit = (uid: string, id: number): void => void entries.set(uid, id)

/** The entry that was opened last; null if none was. */
export const lastVisited = (uid: string): number | null => entries.get(uid) ?? null

export const rememberList = (uid: string, search: string): void => void addresses.set(uid, search)

/** The query string of the list that was seen last. */
export const lastList = (uid: string): string => addresses.get(uid) ?? ''
