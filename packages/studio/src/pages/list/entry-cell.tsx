// One value in a list.

import { Check, File, Minus } from 'lucide-react'
import { useFormatter, useTranslations } from 'use-intl'
import { useModel } from '../../app/model-context.tsx'
import type { Column } from '../../model/columns.ts'
import { entryName } from '../../model/entry-name.ts'
import type { ContentType, Entry } from '../../model/types.ts'
import { Badge } from '../../ui/notice.tsx'
import { StateBadge } from '../state-badge.tsx'
import styles from './table.module.css'

interface CellProps {
  readonly type: ContentType
  readonly column: Column
  readonly entry: Entry
}

export function EntryCell({ type, column, entry }: CellProps) {
  const value = entry[column.name]
  if (column.type === 'state') return <StateBadge entry={entry} />
  if (value === null || value === undefined || value === '') return <span className={styles.none}>–</span>
  switch (column.type) {
    case 'boolean':
      return <BooleanValue value={value === true} />
    case 'date':
    case 'datetime':
    case 'timestamp':
      return <Moment value={String(value)} type={column.type} />
    case 'time':
      return String(value).slice(0, 5)
    case 'locale':
      return <Badge>{String(value)}</Badge>
    case 'media':
      return <MediaValue value={value} />
    case 'relation':
      return <LinkedValue type={type} column={column} value={value} />
    case 'integer':
    case 'float':
      return <NumberValue value={value} />
    default:
      return <span className={styles.text}>{String(value)}</span>
  }
}

function NumberValue({ value }: { readonly value: unknown }) {
  const format = useFormatter()
  return typeof value === 'number' ? format.number(value, { useGrouping: false }) : String(value)
}

function BooleanValue({ value }: { readonly value: boolean }) {
  const t = useTranslations('input')
  return (
    <span className={styles.boolean}>
      {value ? <Check aria-hidden="true" /> : <Minus aria-hidden="true" />}
      {value ? t('yes') : t('no')}
    </span>
  )
}

function Moment({ value, type }: { readonly value: string; readonly type: string }) {
  const format = useFormatter()
  const moment = new Date(type === 'timestamp' ? Number(value) : value)
  if (Number.isNaN(moment.getTime())) return value
  const text =
    type === 'date'
      ? format.dateTime(moment, { dateStyle: 'medium', timeZone: 'UTC' })
      : format.dateTime(moment, { dateStyle: 'medium', timeStyle: 'short' })
  return <time dateTime={value}>{text}</time>
}

interface MediaFile {
  readonly name: string
  readonly url: string
  readonly alternativeText?: string | null
  readonly mime?: string
  readonly formats?: Readonly<Record<string, { readonly url: string }>> | null
}

function MediaValue({ value }: { readonly value: unknown }) {
  const files = [value].flat() as readonly MediaFile[]
  const [first] = files
  if (first === undefined) return <span className={styles.none}>–</span>
  const isPicture = first.mime?.startsWith('image/') ?? false
  return (
    <span className={styles.media}>
      {isPicture ? (
        <img
          src={first.formats?.thumbnail?.url ?? first.url}
          alt={first.alternativeText ?? first.name}
          loading="lazy"
        />
      ) : (
        <>
          <File aria-hidden="true" />
          {first.name}
        </>
      )}
      {files.length > 1 && <span className={styles.none}>+{files.length - 1}</span>}
    </span>
  )
}

const shownNames = 2

function LinkedValue({ type, column, value }: Omit<CellProps, 'entry'> & { readonly value: unknown }) {
  const model = useModel()
  const target = type.attributes.find(({ name }) => name === column.name)?.options.target
  const targetType = model.typesByUid.get(String(target)) ?? { mainField: 'id' }
  const entries = [value].flat() as readonly Entry[]
  if (entries.length === 0) return <span className={styles.none}>–</span>
  const names = entries.slice(0, shownNames).map(entry => entryName(targetType, entry))
  const more = entries.length - names.length
  return (
    <span className={styles.text}>
      {names.join(', ')}
      {more > 0 && ` +${more}`}
    </span>
  )
}
