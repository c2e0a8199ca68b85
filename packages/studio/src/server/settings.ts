// Checks the settings of types against the model, and selects those that a caller may know of.

import { type Access, type Kernel, nearest, type Operation, StartError } from '@plinth/kernel'
import type { Config, TypeSettings } from './config.ts'

/** Attributes that every type may have without naming them. */
const ownNames = ['id', 'createdAt', 'updatedAt', 'publishedAt', 'locale']

/** Throws StartError for a type or an attribute that does not exist. */
export function checkSettings(kernel: Kernel, { types }: Config): void {
  const byUid = new Map(kernel.contentTypes.values().map(type => [type.uid, type]))
  for (const [uid, settings] of Object.entries(types)) {
    const type = byUid.get(uid)
    if (type === undefined) fail(`types names ${uid}, which does not exist`, nearest(uid, [...byUid.keys()]))
    const names = [...ownNames, ...type.attributes.keys()]
    for (const name of namesIn(settings))
      if (!names.includes(name))
        fail(`types.${uid} names the attribute ${name}, which does not exist`, nearest(name, names))
  }
}

function fail(text: string, suggestion: string | null | undefined): never {
  throw new StartError('PLINTH_CONFIG_INVALID', `studio: ${text}${suggestion ? `: did you mean ${suggestion}?` : ''}`)
}

function namesIn({ mainField, columns = [], sort, layout = [], labels = {}, descriptions = {} }: TypeSettings) {
  const names = [...columns, ...layout.flat(), ...Object.keys(labels), ...Object.keys(descriptions)]
  if (mainField !== undefined) names.push(mainField)
  if (sort !== undefined) names.push(sort.slice(0, sort.indexOf(':')).split('.')[0]!)
  return names
}

const operations: readonly Operation[] = ['find', 'findOne', 'create', 'update', 'delete']

/** The settings of components, and of the types with which the caller may do something. */
export function settingsFor(kernel: Kernel, { types }: Config, access: Access): Readonly<Record<string, TypeSettings>> {
  const mayDo = (uid: string, operation: Operation) =>
    kernel.actions.needs(kernel.actions.of(uid, operation)).every(scope => access.can(scope))
  const isVisible = (uid: string) => operations.some(operation => mayDo(uid, operation))
  const kinds = new Map(kernel.contentTypes.values().map(({ uid, kind }) => [uid, kind]))
  const isAnyVisible = [...kinds.keys()].some(uid => kinds.get(uid) !== 'component' && isVisible(uid))
  return Object.fromEntries(
    Object.entries(types).filter(([uid]) => (kinds.get(uid) === 'component' ? isAnyVisible : isVisible(uid))),
  )
}

/** The origins of the addresses of previews. */
export function originsOfPreviews({ types }: Config): readonly string[] {
  const addresses = Object.values(types).flatMap(({ preview }) => preview ?? [])
  const origins = addresses.flatMap(address => (address.startsWith('/') ? "'self'" : new URL(address).origin))
  return [...new Set(origins)]
}
