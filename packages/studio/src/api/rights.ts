// Reads what the user may do.

import type { ComponentRights, TypeRights } from '../model/types.ts'
import { askBody } from './http.ts'

type ByOperation = Readonly<Partial<Record<string, readonly string[]>>>

interface WireAttributeRights {
  readonly readable: ByOperation
  readonly writable: ByOperation
  readonly closed: ByOperation
}

interface WireTypeRights extends WireAttributeRights {
  readonly actions: readonly string[]
  readonly parameters: Readonly<Partial<Record<string, readonly string[]>>>
}

interface WireRights {
  readonly contentTypes: Readonly<Record<string, WireTypeRights>>
  readonly components: Readonly<Record<string, WireAttributeRights>>
  readonly actions: readonly string[]
}

/** The rights of the user. */
export interface Rights {
  /** The rights by uid of the types. */
  readonly types: ReadonlyMap<string, TypeRights>
  readonly components: ReadonlyMap<string, ComponentRights>
  /** The whole names of all actions. */
  readonly actions: ReadonlySet<string>
}

export async function readRights(): Promise<Rights> {
  const { data } = await askBody<{ readonly data: WireRights }>({ path: '/content-type-builder/rights' })
  const types = Object.entries(data.contentTypes).map(([uid, rights]) => [uid, typeRightsOf(rights)] as const)
  const components = Object.entries(data.components).map(([uid, rights]) => [uid, componentRightsOf(rights)] as const)
  return { types: new Map(types), components: new Map(components), actions: new Set(data.actions) }
}

function typeRightsOf({ actions, parameters, ...rights }: WireTypeRights): TypeRights {
  return {
    actions: new Set(actions),
    readable: readableOf(rights),
    creatable: takenBy('create', rights),
    updatable: takenBy('update', rights),
    seesDrafts: parameters.publicationState?.includes('preview') ?? false,
    locales: parameters.locale ?? null,
  }
}

const componentRightsOf = (rights: WireAttributeRights): ComponentRights => ({
  readable: readableOf(rights),
  writable: takenBy('create', rights).union(takenBy('update', rights)),
})

const readableOf = ({ readable }: WireAttributeRights): ReadonlySet<string> =>
  new Set([...(readable.find ?? []), ...(readable.findOne ?? [])])

/** The attributes that a write takes, without those that rules forbid to send. */
const takenBy = (operation: string, { writable, closed }: WireAttributeRights): Set<string> =>
  new Set(writable[operation]?.filter(name => !closed[operation]?.includes(name)))
