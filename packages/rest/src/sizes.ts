// Parses sizes of bodies and answers as v4's settings write them: "1mb", "56kb", or a number of bytes.

import { Type } from '@plinth/kernel'

export const sizeSchema = Type.Union([
  Type.Integer({ minimum: 1 }),
  Type.String({ pattern: '^[1-9]\\d{0,8} ?([kKmMgG]?[bB])?$' }),
])

const units: Readonly<Record<string, number>> = { b: 1, kb: 1024, mb: 1024 ** 2, gb: 1024 ** 3 }

/** A size in bytes. */
export function bytesOf(size: number | string): number {
  if (typeof size === 'number') return size
  const unit = size.replace(/[\d ]/g, '').toLowerCase()
  return Number.parseInt(size, 10) * (units[unit] ?? 1)
}
