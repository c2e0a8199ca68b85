// Keeps what is typed and not saved in the browser (IndexedDB). A browser that refuses it keeps nothing, and the form works as
// well. Drafts are kept as JSON, which leaves the digits of numbers as they are.

import { createStore, del, delMany, entries, keys, set, type UseStore } from 'idb-keyval'
import { parseExactly } from '../api/exact-json.ts'
import { start } from '../api/start.ts'
import { type DraftKey, expiredDrafts, type KeptDraft, keyOfText, textOfKey } from '../model/kept-draft.ts'

/** A draft of an earlier form. */
export interface FoundDraft extends KeptDraft {
  /** Its name in the store. */
  readonly name: string
  readonly key: DraftKey
}

let opened: UseStore | null = null

/** Panels below other paths of the same origin have stores of their own. */
function store(): UseStore {
  opened ??= createStore(`plinth-studio${start.path}`, 'drafts')
  return opened
}

async function attempt<Result>(act: () => Promise<Result>, otherwise: Result): Promise<Result> {
  try {
    return await act()
  } catch {
    return otherwise
  }
}

/** Keeps a draft. Returns its name. */
export async function keepDraft(key: DraftKey, draft: KeptDraft): Promise<string> {
  const name = textOfKey(key)
  await attempt(() => set(name, JSON.stringify(draft), store()), undefined)
  return name
}

/** The drafts with such keys, the newest one first. Deletes those that have expired, of all users. */
export async function findDrafts(isWanted: (key: DraftKey) => boolean): Promise<readonly FoundDraft[]> {
  const all = await attempt(async () => (await entries<string, string>(store())).flatMap(foundDraft), [])
  const expired = expiredDrafts(new Map(all.map(({ name, savedAt }) => [name, savedAt])), Date.now())
  await deleteDrafts(expired)
  return all
    .filter(({ key, name }) => isWanted(key) && !expired.includes(name))
    .toSorted((left, right) => right.savedAt - left.savedAt)
}

function foundDraft([name, text]: readonly [string, string]): readonly FoundDraft[] {
  const key = keyOfText(name)
  return key === null ? [] : [{ ...(parseExactly(text) as KeptDraft), name, key }]
}

export const deleteDraft = (name: string): Promise<void> => attempt(() => del(name, store()), undefined)

const deleteDrafts = (names: readonly string[]): Promise<void> => attempt(() => delMany([...names], store()), undefined)

/** Deletes all drafts of a user, as logging out does. */
export async function deleteDraftsOf(userId: number): Promise<void> {
  const names = await attempt(() => keys<string>(store()), [])
  await deleteDrafts(names.filter(name => keyOfText(name)?.userId === userId))
}
