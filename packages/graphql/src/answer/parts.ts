// The fields of an entry that are objects: found once per output, made when they are asked for, which is once. It knows
// neither rows nor entries.

import type { BranchMember, Member, ObjectOutput } from '../operation/output.ts'
import { attributesOfSameEntry, type EntryFields, Part } from './source.ts'

type SameMember = Extract<Member, { readonly kind: 'same' }>

/** The fields of an output that are objects. */
export interface Parts {
  /** By their names in the answer. */
  readonly members: ReadonlyMap<string, BranchMember | SameMember>
  /** The attributes, if they are the same object as the entry; null otherwise. */
  readonly joined: SameMember | null
}

const partsByOutput = new WeakMap<ObjectOutput, Parts>()

/** Finds them once per output. */
export function partsOf(output: ObjectOutput): Parts {
  let parts = partsByOutput.get(output)
  if (parts === undefined) {
    parts = findParts(output)
    partsByOutput.set(output, parts)
  }
  return parts
}

/**
 * An entry whose attributes are asked for once needs no second object for them, unless both have a field of the same name:
 * copies of all entries would cost as much as reading them.
 */
function findParts({ members }: ObjectOutput): Parts {
  const branches = members.filter(one => one.kind === 'branch' || one.kind === 'union')
  const same = members.filter(one => one.kind === 'same')
  const [first] = same
  if (first !== undefined && same.length === 1) {
    const below = partsOf(first.of)
    const joined = [...branches, first, ...below.members.values()].map(one => [one.key, one] as const)
    const byKey = new Map(joined)
    if (byKey.size === joined.length && below.joined === null) return { members: byKey, joined: first }
  }
  return { members: new Map([...branches, ...same].map(one => [one.key, one])), joined: null }
}

/** The fields of one entry that are objects. */
export class EntryParts<Entry> implements EntryFields {
  readonly #parts: Parts
  readonly #entry: Entry
  readonly #branch: (member: BranchMember, entry: Entry) => unknown

  /** `branch` makes the value of a populated attribute, or the error of one that the caller may not see. */
  constructor(parts: Parts, entry: Entry, branch: (member: BranchMember, entry: Entry) => unknown) {
    this.#parts = parts
    this.#entry = entry
    this.#branch = branch
  }

  get joinedType(): string | null {
    return this.#parts.joined?.of.typeName ?? null
  }

  part(key: string): Part | typeof attributesOfSameEntry | undefined {
    const member = this.#parts.members.get(key)
    if (member?.kind !== 'same') return undefined
    if (member === this.#parts.joined) return attributesOfSameEntry
    return new Part(member.of.typeName, new EntryParts(partsOf(member.of), this.#entry, this.#branch))
  }

  branch(key: string, attribute: string): unknown {
    const member = this.#parts.members.get(key)
    if (member === undefined || member.kind === 'same' || member.name !== attribute) return undefined
    return this.#branch(member, this.#entry)
  }
}
