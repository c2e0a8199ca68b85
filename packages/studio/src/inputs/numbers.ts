// Reads numbers that people type, as texts, so that no digit is lost. Knows nothing of forms.

import Big from 'big.js'

/** How numbers are typed. */
export interface NumberForm {
  readonly isWhole: boolean
  /** Whether a comma stands before the decimals, as in German. Elsewhere it would be taken for a point by mistake. */
  readonly hasComma: boolean
}

/** Whether a language writes a comma before decimals. */
export const hasDecimalComma = (language: string): boolean =>
  new Intl.NumberFormat(language).formatToParts(1.5).some(({ type, value }) => type === 'decimal' && value === ',')

/** The number as the API takes it, such as `1.10`; null for a text that is no number. */
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
