// Measures the texts of answers for the budget. Knows no transport.

import { bytesOfText } from '@plinth/kernel'

/** Texts of so few characters are small whatever their characters are: they are not measured. */
const shortText = 20 * 1024

/**
 * Returns the bytes that the text of an answer counts: exactly if it has more than 64 Ki characters, and about as many
 * otherwise. Looking at the characters of a short text would cost a small read 3 % of its time.
 */
export function bytesOfAnswer(text: string): number {
  return text.length <= shortText ? text.length : bytesOfText(text)
}
