// Values that nobody sends as they are stored: timestamps, and those that take time to make, such as hashes.

import type { InputEntry } from './parse.ts'

/** Sets a timestamp, where the type has it. `now` is an ISO time. */
export function stamp(entry: InputEntry, name: string, now: string): void {
  const attribute = entry.type.attributes.get(name)
  if (attribute?.kind === 'scalar') entry.scalars.set(attribute, Date.parse(now))
}

/** Makes values that take time, components' too; before the transaction. Undefined where there are none. */
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
