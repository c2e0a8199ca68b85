// Shows a value of an attribute as people read it. In a text, the part that differs from another text is marked.

import { useFormatter, useTranslations } from 'use-intl'
import { useModel } from '../../../app/model-context.tsx'
import { entryName } from '../../../model/entry-name.ts'
import { differenceOf } from '../../../model/text-difference.ts'
import type { Attribute, Entry } from '../../../model/types.ts'
import styles from './conflict.module.css'

interface ValueProps {
  readonly attribute: Attribute
  readonly value: unknown
  /** The value to which it is compared. */
  readonly other: unknown
}

const textTypes = new Set(['string', 'text', 'richtext', 'uid', 'email'])

/** Returns whether the values are texts, whose parts can be compared. */
export const hasText = ({ type }: Attribute): boolean => textTypes.has(type)

export function ValueText({ attribute, value, other }: ValueProps) {
  const t = useTranslations('conflict')
  const words = useTranslations('input')
  const format = useFormatter()
  const model = useModel()
  const { type, options } = attribute
  if (value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0))
    return <span className={styles.empty}>{t('empty')}</span>
  if (typeof value === 'boolean') return value ? words('yes') : words('no')
  if (type === 'datetime' && typeof value === 'string' && !Number.isNaN(Date.parse(value)))
    return format.dateTime(new Date(value), { dateStyle: 'medium', timeStyle: 'medium' })
  if (type === 'date' && typeof value === 'string' && !Number.isNaN(Date.parse(value)))
    return format.dateTime(new Date(value), { dateStyle: 'long', timeZone: 'UTC' })
  if (type === 'relation' || type === 'media') {
    const target = model.typesByUid.get(String(options.target))
    const names = [value].flat().map(item => linkName(item as Entry, target?.mainField ?? 'name'))
    return <span>{format.list(names)}</span>
  }
  if (typeof value !== 'string') return <span className={styles.code}>{String(plainText(value))}</span>
  return <MarkedText text={value} other={typeof other === 'string' ? other : ''} />
}

const linkName = (entry: Entry, mainField: string): string => entryName({ mainField }, entry)

/** Numbers as they are, everything else as JSON. */
const plainText = (value: unknown): string =>
  typeof value === 'object' && !isNumber(value) ? JSON.stringify(value, null, 2) : String(value)

/** A number that keeps its digits is an object. */
const isNumber = (value: unknown): boolean => /^-?[\d.]+(?:e[+-]?\d+)?$/i.test(String(value))

function MarkedText({ text, other }: { readonly text: string; readonly other: string }) {
  if (text === other) return <span className={styles.text}>{text}</span>
  const { start, middle, end } = differenceOf(text, other)
  return (
    <span className={styles.text}>
      {start}
      <mark>{middle}</mark>
      {end}
    </span>
  )
}
