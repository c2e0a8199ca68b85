// Makes responses and lists of the entries that they show. It knows neither rows nor where entries come from.

import type { ObjectOutput } from '../operation/output.ts'
import type { PageMembers } from '../operation/page.ts'
import { joinedSource, type ResponseInfo, responseSource, type Source } from './source.ts'

/** The properties of a response beside its entries. */
export interface ResponseContext {
  readonly isList: boolean
  readonly page?: PageMembers | null | undefined
  /** The information about it that code of extensions receives. */
  readonly info?: ResponseInfo | undefined
}

/** Makes the objects of the entries for one of the fields that show them. */
type MakeEntries = (output: ObjectOutput) => readonly Source[]

/** A field may show the entries of a response more than once, with other members each time. */
export function responseObject(output: ObjectOutput, make: MakeEntries, context: ResponseContext): Source {
  const { first, repeated } = selectedBy(output)
  const entries = make(first)
  const nodes = repeated.length === 0 ? entries : joinedEntries(entries, repeated, make)
  return responseSource(output.typeName, context.isList ? { nodes } : { value: nodes[0] ?? null }, context)
}

function joinedEntries(entries: readonly Source[], repeated: SelectedEntries['repeated'], make: MakeEntries): Source[] {
  const others = repeated.map(({ key, of }) => ({ key, entries: make(of) }))
  return entries.map((entry, i) => joinedSource(entry, new Map(others.map(one => [one.key, one.entries[i]!]))))
}

/** The outputs of the fields of a response that show its entries. */
interface SelectedEntries {
  readonly first: ObjectOutput
  readonly repeated: readonly { readonly key: string; readonly of: ObjectOutput }[]
}

const selectedEntries = new WeakMap<ObjectOutput, SelectedEntries>()

/** Finds them once per output. */
function selectedBy(output: ObjectOutput): SelectedEntries {
  let selected = selectedEntries.get(output)
  if (selected === undefined) {
    const [first, ...repeated] = output.members.filter(one => one.kind === 'data')
    selected = { first: first?.of ?? unselected, repeated }
    selectedEntries.set(output, selected)
  }
  return selected
}

/** Placeholder for responses whose `data` is not selected; resolvers of extensions still receive their entries. */
const unselected: ObjectOutput = { typeName: '', node: null, members: [] }
