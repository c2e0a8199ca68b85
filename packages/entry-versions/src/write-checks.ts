// Checks the conditions of writes inside their transactions, when the entry is locked, and finds the version that a write
// makes. Writes without a condition are not listened to. Knows no transport.

import { type ContentType, type Context, type Kernel, PlinthError, type Transaction, type Write } from '@plinth/kernel'
import { databaseOf } from '@plinth/kernel/tables'
import { type Condition, conditionOf, preconditionFailed } from './condition.ts'
import type { EntryVersion, Versions } from './versions.ts'

/** The kernel, and the versions of its entries. */
export interface VersionTools {
  readonly kernel: Kernel
  readonly versions: Versions
}

/** Adds the hooks of writes. */
export function checkWrites({ kernel, versions }: VersionTools): void {
  const isConditional = ({ uid }: ContentType, context: Context) => conditionOf(context)?.isAboutType(uid) === true
  // Before other hooks, which need not run for a write that is refused.
  kernel.hooks.on('onLock', { when: isConditional, order: 'pre' }, async write => {
    const condition = conditionOf(write.context)!
    if (!condition.isHeld && condition.isAbout(write)) await checkWrite({ kernel, versions }, condition, write)
  })
  // After the other hooks, which may change the entry.
  const options = { when: isConditional, actions: ['update'], order: 'post' } as const
  kernel.hooks.on('onWrite', options, async write => {
    const condition = conditionOf(write.context)!
    if (condition.isHeldBy(write)) condition.after = await versionAfter({ kernel, versions }, condition, write)
  })
}

/** Throws PlinthError (412) if the condition is not fulfilled. An entry that does not exist is the writer's business. */
async function checkWrite({ kernel, versions }: VersionTools, condition: Condition, write: Write): Promise<void> {
  if (write.action === 'create')
    throw preconditionFailed('There is no entry, which the condition of the write needs', null)
  const current = (await versions.of(write.type, [write.id!])).get(write.id!)
  if (current === undefined) return
  if (condition.allows(current.version)) return condition.hold(write, write.tx!, current.version)
  const message = 'The entry is not in the version that the condition of the write names'
  throw preconditionFailed(message, (await mayRead(kernel, write)) ? current.version : null)
}

/** Returns whether the caller may read the entry of a write with the parameters of the write. */
async function mayRead(kernel: Kernel, { type: { uid, kind }, id, params, context }: Write): Promise<boolean> {
  const action = kind === 'singleType' ? 'find' : 'findOne'
  const { populate, ...others } = params
  try {
    const { rows } = await kernel.reader.read(
      { uid, action, ...(kind !== 'singleType' && { id: id! }), params: { ...others, fields: ['id'] } },
      context,
    )
    return rows.rows.some(row => row[0] === id)
  } catch (error) {
    // Such as a right or a parameter that the caller lacks for reads.
    if (error instanceof PlinthError && error.status < 500) return false
    throw error
  }
}

/**
 * Returns the version that an update makes. If it is the one before, because the update wrote what was there within the same
 * millisecond, `updatedAt` moves on: of several updates with one version, only one may succeed.
 */
async function versionAfter({ kernel, versions }: VersionTools, { before }: Condition, write: Write): Promise<string> {
  const { type, tx } = write
  const id = write.id!
  const read = async () => (await versions.of(type, [id])).get(id)!
  const after = await read()
  if (after.version !== before || !(await moveOn(kernel, { type, id, tx: tx! }, after))) return after.version
  return (await read()).version
}

interface StoredEntry {
  readonly type: ContentType
  readonly id: number
  readonly tx: Transaction
}

/** Sets `updatedAt` to the next millisecond. Returns false if the entry has none. */
async function moveOn(kernel: Kernel, { type, id, tx }: StoredEntry, { updatedAt }: EntryVersion): Promise<boolean> {
  const attribute = type.attributes.get('updatedAt')
  if (attribute?.kind !== 'scalar' || updatedAt === null) return false
  const { dialect } = databaseOf(kernel)
  const time = dialect.codecs.datetime.encode((Date.parse(updatedAt) + 1) as never)
  const set = `${dialect.quote(attribute.column)} = ?`
  const text = `UPDATE ${dialect.quote(type.table)} SET ${set} WHERE ${dialect.quote('id')} = ?`
  await tx.run(dialect.finish(text), [time, id])
  return true
}
