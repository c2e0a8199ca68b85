// The input for whole numbers of any size, which are texts everywhere.

import { NumberText } from './number-text.tsx'
import type { InputProps } from './props.ts'

/** Without a plus and leading zeros. */
const readNumber = (text: string): string => BigInt(text.replace(/^\+/, '')).toString()

export const BigintegerInput = (props: InputProps<string>) => (
  <NumberText input={props as InputProps} isWhole read={readNumber} />
)
