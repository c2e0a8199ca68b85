// Notes the events of a write in its transaction, so that they are there if and only if the write is. Types without
// webhooks keep their short way: no hook listens to them.

import { type ContentType, type Entry, type Kernel, StaleRowError, type Write } from '@plinth/kernel'
import { bodyOf, eventOf, mayBeDrafts, type SeenWrite } from './events.ts'
import { concerns, type Hook, type HookSet, mayConcern } from './hooks.ts'
import { laneOf, type NewRow, type Outbox } from './outbox.ts'
import { keyOf, type Views } from './views.ts'

/** The maximum number of characters of what is sent; of longer entries only the id is. */
const maxBody = 1024 * 1024

/** The state of an entry before a write changed it. */
interface Before {
  /** By the key of the view. */
  readonly seen: ReadonlyMap<string, Entry | null>
  /** Of a deletion, the row as JSON, which must still be so when it is locked. */
  readonly row: string | null
}

interface RecorderTools {
  readonly kernel: Kernel
  readonly hooks: HookSet
  readonly views: Views
  readonly outbox: Outbox
  /** True if webhooks may be added that are stored, so that all types must be listened to. */
  readonly mayGrow: boolean
  /** Is called after COMMIT, with the names of the webhooks that have something to send. */
  readonly onNoted: (names: ReadonlySet<string>) => void
}

/** The key of the values in the state of a write. */
const own = 'webhooks'

export class Recorder {
  readonly #tools: RecorderTools
  /** Called once for a transaction, with the webhooks of all its writes. */
  readonly #afterCommit = (lists: readonly (readonly string[])[]) => this.#tools.onNoted(new Set(lists.flat()))

  constructor(tools: RecorderTools) {
    this.#tools = tools
    const { kernel, hooks, mayGrow } = tools
    const isHeard = ({ uid }: { readonly uid: string }) =>
      hooks.all.some(one => concerns(one, uid)) || (mayGrow && mayConcern(uid))
    // After those of other plugins, which may change the data and refuse the write.
    kernel.hooks.on('preWrite', { for: isHeard, actions: ['update', 'delete'], order: 'post' }, write =>
      this.#look(write),
    )
    kernel.hooks.on('onWrite', { for: isHeard, order: 'post' }, write => this.#note(write))
  }

  /** Reads the entry before it is changed. A row that is changed in between makes the write run again. */
  async #look(write: Write): Promise<void> {
    const { kernel, hooks } = this.#tools
    const { type, id, action } = write
    const listening = hooks.of(type.uid)
    if (listening.length === 0 || id === null) return
    // An update compares the version of the row with the one that is read here. A deletion reads it once it is locked.
    const row =
      action === 'update' ? await write.before() : await kernel.writer.entries.read(type.uid, id, write.context)
    const isDraft = isDraftOf(type, row)
    const entries = await this.#see(listening, type, id, isDraft)
    const before: Before = { seen: entries, row: action === 'delete' ? JSON.stringify(row) : null }
    write.state[own] = before
  }

  async #note(write: Write): Promise<void> {
    const { outbox, hooks } = this.#tools
    const { type, id, action, tx, now } = write
    const listening = hooks.of(type.uid)
    if (listening.length === 0 || id === null) return
    const before = write.state[own] as Before | undefined
    const rowBefore = action === 'create' || (action === 'update' && !mayBeDrafts(type)) ? null : await write.before()
    if (action === 'delete' && before?.row !== JSON.stringify(rowBefore)) throw new StaleRowError()
    const isDraft = action !== 'delete' && mayBeDrafts(type) && isDraftOf(type, await write.after())
    const after = action === 'delete' ? null : await this.#see(listening, type, id, isDraft)
    const rows: NewRow[] = []
    for (const hook of listening) {
      const key = keyOf(hook)
      const seenWrite: SeenWrite = {
        action,
        before: before?.seen.get(key) ?? null,
        after: after?.get(key) ?? null,
        wasDraft: isDraftOf(type, rowBefore),
        isDraft,
      }
      const event = eventOf(type.uid, seenWrite)
      if (event === null || !hook.events.has(event.name)) continue
      const whole = bodyOf(type, now, event)
      const body = whole.length > maxBody ? bodyOf(type, now, { ...event, entry: { id } }) : whole
      rows.push({
        hook: hook.name,
        lane: laneOf(hook.name, type.uid, id),
        event: event.name,
        uid: type.uid,
        entry: id,
        body,
      })
    }
    if (rows.length === 0) return
    await outbox.add(tx!, rows)
    tx!.afterCommit(
      this.#afterCommit,
      rows.map(one => one.hook),
    )
  }

  /** Reads an entry once for each view of the webhooks. Webhooks without drafts do not see a draft. */
  async #see(
    hooks: readonly Hook[],
    type: ContentType,
    id: number,
    isDraft: boolean,
  ): Promise<Map<string, Entry | null>> {
    const entries = new Map<string, Entry | null>()
    for (const hook of hooks) {
      const key = keyOf(hook)
      if (entries.has(key)) continue
      entries.set(key, isDraft && !hook.hasDrafts ? null : await this.#tools.views.read(type, id, hook))
    }
    return entries
  }
}

function isDraftOf(type: ContentType, row: Entry | null): boolean {
  return mayBeDrafts(type) && row !== null && row.publishedAt === null
}
