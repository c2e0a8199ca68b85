// Sets values that are not stored as they were sent: timestamps, and values that are computed asynchronously, such as
// hashes.

import type { InputEntry } from './parse.ts'

/** Sets a timestamp, if the type has the attribute. `time` is in milliseconds since 1970. */
export function stamp(entry: InputEntry, name: string, time: number): void {
  const attribute = entry.type.attributes.get(name)
  if (attribute?.kind === 'scalar') entry.scalars.set(attribute, time)
}

/** Computes such values, also in components, before the transaction. Returns undefined if there are none. */
export function prepareScalars(entry: InputEntry): Promise<void> | undefined {
  return takesTime(entry) ? prepareAll(entry) : undefined
}

function takesTime({ scalars, components }: InputEntry): boolean {
  for (const attribute of scalars.keys()) if (attribute.scalar.prepare !== undefined) return true
  return components.some(({ items }) => items.some(takesTime))
}

async function prepareAll(entry: InputEntry): Promise<void> {
  for (const [attribute, value] of entry.scalars) {
    const { prepare } = attribute.scalar
    if (prepare === undefined || value === null || value === undefined) continue
    entry.scalars.set(attribute, await prepare(value, attribute.definition))
  }
  for (const { items } of entry.components) for (const item of items) await prepareAll(item)
}
