// Makes responses and lists of the entries that they show. It knows neither rows nor where entries come from.

import { joinedSource, type ResponseInfo, responseSource, type Source } from '../execution/source.ts'
import type { ObjectOutput } from './output.ts'
import type { PageMembers } from './writer.ts'

/** What a response says beside its entries. */
export interface ResponseAbout {
  readonly isList: boolean
  readonly page?: PageMembers | null | undefined
  /** What code of extensions receives about it. */
  readonly info?: ResponseInfo | undefined
}

/** Makes the objects of the entries for one of the fields that show them. */
type MakeEntries = (output: ObjectOutput) => readonly Source[]

/** A field may show the entries of a response more than once, with other members each time. */
export function responseObject(output: ObjectOutput, make: MakeEntries, about: ResponseAbout): Source {
  const { first, repeated } = shownBy(output)
  const entries = make(first)
  const nodes = repeated.length === 0 ? entries : joinedEntries(entries, repeated, make)
  return responseSource(output.typeName, about.isList ? { nodes } : { value: nodes[0] ?? null }, about)
}

function joinedEntries(entries: readonly Source[], repeated: Shown['repeated'], make: MakeEntries): Source[] {
  const others = repeated.map(({ key, of }) => ({ key, entries: make(of) }))
  return entries.map((entry, i) => joinedSource(entry, new Map(others.map(one => [one.key, one.entries[i]!]))))
}

/** The outputs of the fields of a response that show its entries. */
interface Shown {
  readonly first: ObjectOutput
  readonly repeated: readonly { readonly key: string; readonly of: ObjectOutput }[]
}

const known = new WeakMap<ObjectOutput, Shown>()

function shownBy(output: ObjectOutput): Shown {
  let shown = known.get(output)
  if (shown === undefined) {
    const [first, ...repeated] = output.members.filter(one => one.kind === 'data')
    shown = { first: first?.of ?? nothing, repeated }
    known.set(output, shown)
  }
  return shown
}

/** The entries of responses whose entries are not shown: code of extensions receives them all the same. */
const nothing: ObjectOutput = { typeName: '', node: null, members: [] }
