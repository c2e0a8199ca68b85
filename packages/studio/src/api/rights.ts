// Reads what the user may do.

import type { TypeRights } from '../model/types.ts'
import { askBody } from './http.ts'

type ByOperation = Readonly<Partial<Record<string, readonly string[]>>>

interface WireTypeRights {
  readonly actions: readonly string[]
  readonly readable: ByOperation
  readonly writable: ByOperation
  readonly closed: ByOperation
  readonly parameters: Readonly<Partial<Record<string, readonly string[]>>>
}

interface WireRights {
  readonly contentTypes: Readonly<Record<string, WireTypeRights>>
  readonly actions: readonly string[]
}

/** What the user may do. */
export interface Rights {
  /** The rights by uid of the types. */
  readonly types: ReadonlyMap<string, TypeRights>
  /** The whole names of all actions. */
  readonly actions: ReadonlySet<string>
}

export async function readRights(): Promise<Rights> {
  const { data } = await askBody<{ readonly data: WireRights }>({ path: '/content-type-builder/rights' })
  const types = Object.entries(data.contentTypes).map(([uid, rights]) => [uid, typeRightsOf(rights)] as const)
  return { types: new Map(types), actions: new Set(data.actions) }
}

function typeRightsOf({ actions, readable, writable, closed, parameters }: WireTypeRights): TypeRights {
  const takenBy = (operation: string) =>
    new Set(writable[operation]?.filter(name => !closed[operation]?.includes(name)) ?? [])
  return {
    actions: new Set(actions),
    readable: new Set([...(readable.find ?? []), ...(readable.findOne ?? [])]),
    creatable: takenBy('create'),
    updatable: takenBy('update'),
    seesDrafts: parameters.publicationState?.includes('preview') ?? false,
    locales: parameters.locale ?? null,
  }
}
