// Parses sizes in bytes as settings write them: 1048576, "1mb", "1.5 GB". Has no state and knows no setting.

import { Type } from '@plinth/kernel'

const pattern = '^(?=.*[1-9])\\d{1,12}(?:\\.\\d{1,3})? ?(?:[kKmMgG]?[bB])?$'

/** Returns the schema of a setting that is a size: a positive number of bytes, or a text that `isByteSize` accepts. */
export const byteSizeSchema = (description: string) =>
  Type.Union(
    [Type.Integer({ minimum: 1 }), Type.String({ pattern, expected: 'a size, such as "2mb" or a number of bytes' })],
    { description },
  )

const units: Readonly<Record<string, number>> = { b: 1, kb: 1024, mb: 1024 ** 2, gb: 1024 ** 3 }

/** Returns whether a value is a size: a positive integer, or a text such as "56kb", "1.5 GB" or "1024". */
export function isByteSize(value: unknown): value is number | string {
  return typeof value === 'number'
    ? Number.isSafeInteger(value) && value > 0
    : typeof value === 'string' && new RegExp(pattern).test(value)
}

/** Returns the bytes of a size; a part of a byte counts as one. */
export function bytesOfSize(size: number | string): number {
  if (typeof size === 'number') return size
  const unit = size.replace(/[\d. ]/g, '').toLowerCase()
  return Math.ceil(Number.parseFloat(size) * (units[unit] ?? 1))
}
