// Says how long a text is beside how long it may be.

import type { Attribute } from '../model/types.ts'

/** "12 / 80"; undefined where nothing limits the length. */
export function lengthNote(value: unknown, { options }: Attribute): string | undefined {
  const { maxLength } = options
  return typeof maxLength === 'number' ? `${String(value ?? '').length} / ${maxLength}` : undefined
}
