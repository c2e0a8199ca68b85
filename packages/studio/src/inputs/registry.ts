// Finds the input of an attribute by its type. Editors, which are large, are loaded when a form needs them.

import { lazy } from 'react'
import type { Attribute } from '../model/types.ts'
import { BigintegerInput } from './biginteger.tsx'
import { BooleanInput } from './boolean.tsx'
import { ComponentInput } from './component/index.tsx'
import { DateInput } from './date.tsx'
import { DatetimeInput, TimestampInput } from './datetime.tsx'
import { DecimalInput } from './decimal.tsx'
import { EmailInput } from './email.tsx'
import { EnumerationInput } from './enumeration.tsx'
import { IntegerInput } from './integer.tsx'
import { JsonInput } from './json.tsx'
import { LockedInput } from './locked.tsx'
import { MediaInput } from './media/index.tsx'
import { PasswordInput } from './password.tsx'
import { pluginInputs } from './plugin-inputs.ts'
import type { InputComponent } from './props.ts'
import { RelationInput } from './relation/index.tsx'
import { StringInput } from './string.tsx'
import { TextInput } from './text.tsx'
import { TimeInput } from './time.tsx'
import { UidInput } from './uid.tsx'
import { ZoneInput } from './zone/index.tsx'

const inputs = new Map<string, InputComponent>([
  ['string', StringInput],
  ['text', TextInput],
  ['email', EmailInput],
  ['password', PasswordInput],
  ['uid', UidInput],
  ['enumeration', EnumerationInput],
  ['integer', IntegerInput],
  ['biginteger', BigintegerInput],
  ['decimal', DecimalInput],
  ['float', DecimalInput],
  ['boolean', BooleanInput],
  ['date', DateInput],
  ['time', TimeInput],
  ['datetime', DatetimeInput],
  ['timestamp', TimestampInput],
  ['json', JsonInput],
  ['richtext', lazy(async () => ({ default: (await import('./markdown/index.tsx')).MarkdownInput }))],
  ['blocks', lazy(async () => ({ default: (await import('./blocks/index.tsx')).BlocksInput }))],
  ['media', MediaInput],
  ['relation', RelationInput],
  ['component', ComponentInput],
  ['dynamiczone', ZoneInput],
])

/**
 * The input of an attribute. A custom field without one has that of its base type, and a type that nobody knows one that
 * shows the value.
 */
export const inputOf = ({ type, customField }: Attribute): InputComponent =>
  inputFor(customField ?? type) ?? inputFor(type) ?? LockedInput

const inputFor = (type: string): InputComponent | undefined => pluginInputs.get(type) ?? inputs.get(type)
