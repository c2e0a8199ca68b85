// The filters of a list, each with a button that takes it away.

import { X } from 'lucide-react'
import { useFormatter, useTranslations } from 'use-intl'
import { inputOf } from '../../model/filters.ts'
import type { ContentType } from '../../model/types.ts'
import { Button } from '../../ui/button.tsx'
import { useColumnLabel } from './column-label.ts'
import styles from './list.module.css'
import type { EntryList } from './use-entry-list.ts'

export function FilterChips({ list }: { readonly type: ContentType; readonly list: EntryList }) {
  const t = useTranslations('filter')
  const words = useTranslations('input')
  const format = useFormatter()
  const labelOf = useColumnLabel()
  const filters = list.address.f ?? []
  if (filters.length === 0) return null
  const textOf = (input: string, value: string) => {
    if (input === 'none') return ''
    if (input === 'boolean') return value === 'true' ? words('yes') : words('no')
    if (input !== 'date' && input !== 'datetime') return value
    const moment = new Date(value)
    if (Number.isNaN(moment.getTime())) return value
    return format.dateTime(
      moment,
      input === 'date' ? { dateStyle: 'medium', timeZone: 'UTC' } : { dateStyle: 'medium', timeStyle: 'short' },
    )
  }
  return (
    <ul className={styles.chips} aria-label={t('title')}>
      {filters.map(([name, operator, value], index) => {
        const column = list.columns.find(one => one.name === name)
        if (column === undefined) return null
        const text =
          `${labelOf(column)} ${t(`operators.${operator}`)} ${textOf(inputOf(column, operator), value)}`.trim()
        return (
          <li key={`${name} ${operator} ${value}`} className={styles.chip}>
            {text}
            <Button
              look="quiet"
              isSmall
              isIcon
              aria-label={t('remove', { filter: text })}
              onPress={() => {
                const left = filters.toSpliced(index, 1)
                list.change({ f: left.length === 0 ? undefined : left })
              }}
            >
              <X aria-hidden="true" />
            </Button>
          </li>
        )
      })}
    </ul>
  )
}
