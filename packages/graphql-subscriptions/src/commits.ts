// Listens to the committed writes of the types that have subscribers, and of no others: writes of all other types keep
// their short way. It must not load anything that only a server needs.

import type { Change } from '@plinth/graphql'
import type { ContentType, Kernel, Write } from '@plinth/kernel'

/** Receives the changes of the types that it has subscribers to. */
export interface ChangeListener {
  hasSubscribers(uid: string): boolean
  onChange(change: Change): void
}

/** The committed writes of a kernel. They are ignored until `listener` is set. */
export class Commits {
  listener: ChangeListener | null = null
  readonly #kernel: Kernel
  readonly #attributesOfDeleted = new Map<string, readonly string[]>()

  /** Registers the hook, before the freeze. */
  constructor(kernel: Kernel) {
    this.#kernel = kernel
    const when = ({ uid }: { readonly uid: string }) => this.listener?.hasSubscribers(uid) === true
    kernel.hooks.on('onCommit', { when }, writes => this.#onCommit(writes))
  }

  async #onCommit(writes: readonly Write[]): Promise<void> {
    for (const write of writes) {
      const { type, action, id } = write
      if (id === null) continue
      const heldValues = action === 'delete' ? await this.#heldBy(write) : {}
      this.listener?.onChange({ uid: type.uid, action, id, held: heldValues })
    }
  }

  /** The entry was read before it was deleted. */
  async #heldBy(write: Write): Promise<Change['held']> {
    const { type } = write
    const names = this.#attributesOfDeleted.get(type.uid) ?? findAttributesOfDeleted(this.#kernel, type)
    this.#attributesOfDeleted.set(type.uid, names)
    const entry = await write.before()
    return Object.fromEntries(names.map(name => [name, (entry?.[name] ?? null) as unknown]))
  }
}

/** The attributes of a type by which parameters check deleted entries. */
function findAttributesOfDeleted(kernel: Pick<Kernel, 'parameters'>, type: ContentType): string[] {
  const names = kernel.parameters.values().flatMap(one => (one.for(type) ? (one.deleted?.attribute ?? []) : []))
  return [...new Set(names)]
}
