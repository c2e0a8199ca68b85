// Reads numbers that people type, as texts, so that no digit is lost. Knows nothing of forms.

import Big from 'big.js'

/** The form in which numbers are typed. */
export interface NumberForm {
  readonly isWhole: boolean
  /** True if a comma is the decimal separator, as in German. Elsewhere a comma is refused, not read as a point. */
  readonly hasComma: boolean
}

/** Returns whether the decimal separator of a language is a comma. */
export const hasDecimalComma = (language: string): boolean =>
  new Intl.NumberFormat(language).formatToParts(1.5).some(({ type, value }) => type === 'decimal' && value === ',')

/** Returns the number as the API accepts it, such as `1.10`; null for a text that is not a number. */
export function readNumber(text: string, { isWhole, hasComma }: NumberForm): string | null {
  const trimmed = text.trim().replace(/^\u2212/, '-')
  const pointed = hasComma ? trimmed.replace(',', '.') : trimmed
  if (isWhole) return /^[+-]?\d+$/.test(pointed) ? BigInt(pointed.replace(/^\+/, '')).toString() : null
  const isNumber = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i.test(pointed)
  if (!isNumber) return null
  return pointed
    .replace(/^\+/, '')
    .replace(/^(-?)\./, '$10.')
    .replace(/\.(?=e|$)/i, '')
}

/** The number that is greater by so much; of an empty text, that of zero. */
export const addTo = (number: string, by: number): string => new Big(number || '0').plus(by).toFixed()
