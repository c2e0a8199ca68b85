// The input for decimals and floats. Both are sent as text, so that no digit is lost.

import { NumberText } from './number-text.tsx'
import type { InputProps } from './props.ts'

const asText = (number: string): string => number

export const DecimalInput = (props: InputProps) => <NumberText input={props} isWhole={false} makeValue={asText} />
