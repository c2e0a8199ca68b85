// The input for whole numbers.

import { NumberText } from './number-text.tsx'
import type { InputProps } from './props.ts'

/** A number that is too large for JavaScript is sent as text, for the server to check. */
const asNumber = (number: string): number | string => (Number.isSafeInteger(Number(number)) ? Number(number) : number)

export const IntegerInput = (props: InputProps<number | string>) => (
  <NumberText input={props as InputProps} isWhole makeValue={asNumber} />
)
