// Keeps usernames and addresses unique in any case, whichever transport, process or code writes them: a unique index knows
// the exact text alone. Names that were there before stay as they are (security.md row 65).

import { createHash } from 'node:crypto'
import { type FieldError, type Kernel, ValidationError, type Write } from '@plinth/kernel'
import { type EqualNames, type NameAttribute, nameAttributes, type SearchedName } from './equal-names.ts'
import { foldName } from './names.ts'
import { userUid } from './user-type.ts'

/** The parts of the plugin that the hooks need. */
interface UniqueNameTools {
  readonly names: EqualNames
  /** True if two users cannot have the same address. */
  readonly isEmailUnique: boolean
}

/** The key under which a write keeps the names that it changes. */
const stateKey = 'users-permissions:changed names'

/** Registers the hooks. They must follow those that bring names into one form. */
export function registerUniqueNames(kernel: Kernel, { names, isEmailUnique }: UniqueNameTools): void {
  const uniqueNames = nameAttributes.filter(name => isEmailUnique || name !== 'email')
  const options = { for: ({ uid }: { readonly uid: string }) => uid === userUid, actions: ['create', 'update'] }
  kernel.hooks.on('preWrite', options, async write => {
    const sent = uniqueNames.filter(name => typeof write.data[name] === 'string')
    if (sent.length === 0) return
    const before = write.action === 'update' ? await write.before() : null
    const changed = changedNames(write.data, sent, before as Readonly<Record<NameAttribute, unknown>> | null)
    if (changed.length > 0) write.state[stateKey] = changed
  })
  kernel.hooks.on('onWrite', options, write => {
    const changed = write.state[stateKey] as readonly SearchedName[] | undefined
    return changed === undefined ? undefined : refuseTaken(names, write, changed)
  })
}

/**
 * The names that differ from those of before by more than case. Two users of an old table may have names that differ in
 * case alone: both may keep them, and be written with them.
 */
export function changedNames(
  data: Readonly<Record<string, unknown>>,
  attributes: readonly NameAttribute[],
  before: Readonly<Record<NameAttribute, unknown>> | null,
): SearchedName[] {
  return attributes
    .map(attribute => ({ attribute, name: String(data[attribute]) }))
    .filter(({ attribute, name }) => foldName(String(before?.[attribute] ?? '')) !== foldName(name))
}

/**
 * Looks for the names after the row is written, and after all other writes of these names have ended: of two at the same
 * time, in one process or in two, the second one sees the first.
 */
async function refuseTaken(names: EqualNames, write: Write, changed: readonly SearchedName[]): Promise<void> {
  const tx = write.tx!
  await tx.lockNames(changed.map(lockOf))
  const attributes = await names.findTaken(tx.knex, changed, write.id)
  if (attributes.size === 0) return
  throw ValidationError.ofFields(
    [...attributes].map(
      (path): FieldError => ({ path: [path], message: 'This attribute must be unique', name: 'ValidationError' }),
    ),
  )
}

/** The name of the lock of a name: short, and without anything that a server could read in another way. */
function lockOf({ attribute, name }: SearchedName): string {
  return `${userUid} ${attribute} ${createHash('sha256').update(foldName(name)).digest('hex')}`
}
