// Says what one side has done with the components of an attribute.

import { ArrowUpDown, Minus, Pencil, Plus } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { useModel } from '../../../app/model-context.tsx'
import { type ItemChange, itemChanges, type ValueChange } from '../../../model/item-changes.ts'
import type { Attribute } from '../../../model/types.ts'
import styles from './conflict.module.css'
import { hasText, ValueText } from './value-text.tsx'

interface ListProps {
  readonly attribute: Attribute
  readonly before: unknown
  readonly after: unknown
}

const icons = { added: Plus, removed: Minus, changed: Pencil, moved: ArrowUpDown }

export function ItemChangeList({ attribute, before, after }: ListProps) {
  const t = useTranslations('conflict')
  const model = useModel()
  const changes = itemChanges(before, after, attribute, model)
  if (changes.length === 0) return <span className={styles.empty}>{t('items.none')}</span>
  const isList = Array.isArray(before ?? after)
  return (
    <span className={styles.items}>
      {changes.map(change => (
        <ItemLine key={`${change.kind} ${change.place}`} change={change} isList={isList} />
      ))}
    </span>
  )
}

function ItemLine({ change, isList }: { readonly change: ItemChange; readonly isList: boolean }) {
  const t = useTranslations('conflict')
  const { kind, label, title, place, values } = change
  const Icon = icons[kind]
  const name = title === null ? label : t('items.titled', { label, title })
  return (
    <span className={styles.item} data-kind={kind}>
      <span className={styles.itemHead}>
        <Icon aria-hidden="true" />
        <span>{t(isList ? `items.${kind}` : `items.one.${kind}`, { name, place })}</span>
      </span>
      {values.map(value => (
        <ItemValue key={value.attribute.name} value={value} />
      ))}
    </span>
  )
}

function ItemValue({ value: { attribute, before, after } }: { readonly value: ValueChange }) {
  const isComposed = attribute.type === 'component' || attribute.type === 'dynamiczone'
  return (
    <span className={styles.itemValue}>
      <span className={styles.itemLabel}>{attribute.label}</span>
      {isComposed ? (
        <ItemChangeList attribute={attribute} before={before} after={after} />
      ) : (
        <ValueText attribute={attribute} value={after} other={hasText(attribute) ? before : after} />
      )}
    </span>
  )
}
