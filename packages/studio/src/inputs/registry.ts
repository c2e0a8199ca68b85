// Finds the input of an attribute by its type. Inputs that are large or rare are loaded when a form needs them.

import { lazy } from 'react'
import type { Attribute } from '../model/types.ts'
import { BooleanInput } from './boolean.tsx'
import { DecimalInput } from './decimal.tsx'
import { EmailInput } from './email.tsx'
import { EnumerationInput } from './enumeration.tsx'
import { IntegerInput } from './integer.tsx'
import { LockedInput } from './locked.tsx'
import { PasswordInput } from './password.tsx'
import type { InputComponent } from './props.ts'
import { StringInput } from './string.tsx'
import { TextInput } from './text.tsx'
import { UidInput } from './uid.tsx'

const inputs = new Map<string, InputComponent>([
  ['string', StringInput],
  ['text', TextInput],
  ['email', EmailInput],
  ['password', PasswordInput],
  ['uid', UidInput],
  ['enumeration', EnumerationInput],
  ['integer', IntegerInput],
  ['biginteger', lazy(async () => ({ default: (await import('./biginteger.tsx')).BigintegerInput }))],
  ['decimal', DecimalInput],
  ['float', DecimalInput],
  ['boolean', BooleanInput],
  ['date', lazy(async () => ({ default: (await import('./date.tsx')).DateInput }))],
  ['time', lazy(async () => ({ default: (await import('./time.tsx')).TimeInput }))],
  ['datetime', lazy(async () => ({ default: (await import('./datetime.tsx')).DatetimeInput }))],
  ['timestamp', lazy(async () => ({ default: (await import('./datetime.tsx')).TimestampInput }))],
  ['json', lazy(async () => ({ default: (await import('./json.tsx')).JsonInput }))],
  ['richtext', lazy(async () => ({ default: (await import('./markdown/index.tsx')).MarkdownInput }))],
  ['blocks', lazy(async () => ({ default: (await import('./blocks/index.tsx')).BlocksInput }))],
  ['media', lazy(async () => ({ default: (await import('./media/index.tsx')).MediaInput }))],
  ['relation', lazy(async () => ({ default: (await import('./relation/index.tsx')).RelationInput }))],
  ['component', lazy(async () => ({ default: (await import('./component/index.tsx')).ComponentInput }))],
  ['dynamiczone', lazy(async () => ({ default: (await import('./zone/index.tsx')).ZoneInput }))],
])

/**
 * The input of an attribute. A custom field without one has that of its base type, and a type that nobody knows one that
 * shows the value.
 */
export const inputOf = ({ type, customField }: Attribute): InputComponent =>
  inputs.get(customField ?? type) ?? inputs.get(type) ?? LockedInput

/** Adds the input of an attribute type, as plugins do. */
export const addInput = (type: string, input: InputComponent): void => void inputs.set(type, input)
