// Selects the part of the model that a caller may know of: the types with which it may do something, what is shown with
// their entries (components, media), and of their attributes those that lead to such types. Does not know how the part is
// answered.

import type { Access, Attribute, ContentType, Context, Kernel, Operation } from '@plinth/kernel'
import { findRights, type Rights } from './rights.ts'

const operations: readonly Operation[] = ['find', 'findOne', 'create', 'update', 'delete']
const writes: readonly Operation[] = ['create', 'update']

/** A type with the attributes of which the caller may know. */
export interface VisibleType {
  readonly type: ContentType
  readonly attributes: readonly Attribute[]
}

/** The model as one caller may know it. */
export class VisibleModel {
  /** The types by uid, content types and components, in the order of the model. */
  readonly types: ReadonlyMap<string, VisibleType>

  /** Finds what the caller of a context may know. */
  static async of(kernel: Kernel, context: Context): Promise<VisibleModel> {
    return new VisibleModel(kernel, context.access, await findRights(kernel, context))
  }

  private constructor(kernel: Kernel, access: Access, rights: Rights) {
    const mayDo = (uid: string, operation: Operation) =>
      kernel.actions.needs(kernel.actions.of(uid, operation)).every(scope => access.can(scope))
    const all = kernel.contentTypes.values()
    const visible = new Set<string>()
    const writable = new Set<string>()
    for (const { uid, kind } of all) {
      if (kind === 'component') continue
      if (operations.some(operation => mayDo(uid, operation))) visible.add(uid)
      if (writes.some(operation => mayDo(uid, operation))) writable.add(uid)
    }
    const byUid = new Map(all.map(type => [type.uid, type]))
    for (const uid of [...visible]) addShown(byUid, uid, { visible, writable })
    this.types = new Map(
      all
        .filter(({ uid }) => visible.has(uid))
        .map(type => {
          const usable = usableNames(rights, type.uid)
          const attributes = attributesOf(type, visible, writable.has(type.uid))
          return [
            type.uid,
            { type, attributes: attributes.filter(one => one.private || usable?.has(one.name) !== false) },
          ]
        }),
    )
  }

  /** The names of the attributes, by the uid of their type or component. */
  get names(): ReadonlyMap<string, ReadonlySet<string>> {
    return new Map([...this.types].map(([uid, { attributes }]) => [uid, new Set(attributes.map(({ name }) => name))]))
  }

  /** The type or component with the uid; null if there is none that the caller may know of. */
  find(uid: string): VisibleType | null {
    return this.types.get(uid) ?? null
  }
}

/** The uids of the types that are visible, and of those that the caller may write. */
interface Uids {
  readonly visible: Set<string>
  readonly writable: Set<string>
}

/** Adds what is shown with the entries of a type, at every depth. Components can be written where their entry can. */
function addShown(byUid: ReadonlyMap<string, ContentType>, uid: string, uids: Uids): void {
  const { visible, writable } = uids
  for (const attribute of byUid.get(uid)!.attributes.values()) {
    const mayWrite = attribute.kind !== 'relation' && writable.has(uid)
    for (const one of shownBy(attribute)) {
      if (visible.has(one) && (!mayWrite || writable.has(one))) continue
      visible.add(one)
      if (mayWrite) writable.add(one)
      addShown(byUid, one, uids)
    }
  }
}

/** The types whose entries an attribute shows without a right to find them. */
function shownBy(attribute: Attribute): readonly string[] {
  if (attribute.kind === 'component') return [attribute.component]
  if (attribute.kind === 'zone') return attribute.components
  const isShown = attribute.kind === 'relation' && attribute.isShownWithEntry && attribute.target !== null
  return isShown ? [attribute.target] : []
}

/** Private attributes are never answered, so only callers who may write know of them. */
function attributesOf(type: ContentType, visible: ReadonlySet<string>, mayWrite: boolean): readonly Attribute[] {
  return [...type.attributes.values()].filter(attribute => {
    if (attribute.private && !mayWrite) return false
    return attribute.kind !== 'relation' || attribute.target === null || visible.has(attribute.target)
  })
}

/**
 * The attributes that the caller can read or send, refused ones included; null if it neither reads nor writes the type by
 * itself. Of the others, those that are not private are hidden by rules.
 */
function usableNames({ contentTypes, components }: Rights, uid: string): ReadonlySet<string> | null {
  const own = contentTypes[uid] ?? components[uid]
  const lists = own === undefined ? [] : [own.readable, own.writable, own.closed].flatMap(Object.values)
  return lists.length === 0 ? null : new Set(lists.flat())
}
