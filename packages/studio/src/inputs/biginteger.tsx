// The input for whole numbers of any size, which are texts everywhere.

import { NumberText } from './number-text.tsx'
import type { InputProps } from './props.ts'

const asText = (number: string): string => number

export const BigintegerInput = (props: InputProps<string>) => (
  <NumberText input={props as InputProps} isWhole makeValue={asText} />
)
