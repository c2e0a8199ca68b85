// Searches entries of one type while somebody types, and hands on the one that is chosen.

import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { ChevronsUpDown } from 'lucide-react'
import { useState } from 'react'
import { Button as AriaButton, ComboBox, Input, ListBox, ListBoxItem, Popover } from 'react-aria-components'
import { useTranslations } from 'use-intl'
import { listEntries } from '../../api/entries.ts'
import { useErrorText } from '../../app/error-text.ts'
import { useModel } from '../../app/model-context.tsx'
import { entryName } from '../../model/entry-name.ts'
import { offeredAtOnce, offerParameters } from '../../model/relations.ts'
import type { ContentType, Entry } from '../../model/types.ts'
import { classNames } from '../../ui/class-names.ts'
import fieldStyles from '../../ui/field.module.css'
import menuStyles from '../../ui/menu.module.css'
import { useSettled } from '../../ui/use-settled.ts'
import { LinkLabel } from './link-label.tsx'
import styles from './relation.module.css'

interface SearchProps {
  readonly type: ContentType
  readonly label: string
  readonly placeholder: string
  readonly locale: string | null
  /** The ids of entries that are linked already. */
  readonly without: readonly number[]
  /** The id of the entry that links, if it is of the same type. */
  readonly excluded: number | null
  readonly onChoose: (entry: Entry) => void
}

export function LinkSearch(props: SearchProps) {
  const { type, label, placeholder, onChoose } = props
  const t = useTranslations('relation')
  const [text, setText] = useState('')
  const [isOpen, setOpen] = useState(false)
  const { entries, isWaiting, error } = useOffers(props, text.trim(), isOpen)
  const errorText = useErrorText()
  const choose = (key: unknown) => {
    const entry = entries.find(({ id }) => id === Number(key))
    setText('')
    if (key !== null && entry !== undefined) onChoose(entry)
  }
  return (
    <ComboBox
      aria-label={label}
      className={styles.search!}
      inputValue={text}
      onInputChange={setText}
      onOpenChange={setOpen}
      value={null}
      onChange={choose}
      items={entries}
      allowsEmptyCollection
      menuTrigger="input"
    >
      <div className={classNames(fieldStyles.input, fieldStyles.group)}>
        <Input placeholder={placeholder} />
        <AriaButton className={styles.opener!}>
          <ChevronsUpDown aria-hidden="true" />
        </AriaButton>
      </div>
      <Popover className={menuStyles.popover!} offset={4}>
        <ListBox
          className={menuStyles.menu!}
          renderEmptyState={() => (
            <p className={styles.empty}>
              {error !== null ? errorText(error) : t(isWaiting ? 'searching' : 'noneFound')}
            </p>
          )}
        >
          {(entry: Entry) => (
            <ListBoxItem id={entry.id} textValue={entryName(type, entry)} className={menuStyles.item!}>
              <LinkLabel link={entry} type={type} />
            </ListBoxItem>
          )}
        </ListBox>
        {entries.length === offeredAtOnce && <p className={styles.more}>{t('more')}</p>}
      </Popover>
    </ComboBox>
  )
}

/** Asks when nobody has typed for a moment. A question that is followed by another one is cancelled. */
function useOffers({ type, locale, without, excluded }: SearchProps, text: string, isOpen: boolean) {
  const model = useModel()
  const settled = useSettled(text, 200)
  const ids = excluded === null ? without : [...without, excluded]
  const parameters = offerParameters(type, { text: settled, locale, without: ids })
  const { data, isFetching, error } = useQuery({
    queryKey: ['entries', type.uid, 'offers', parameters],
    queryFn: ({ signal }) => listEntries({ type, model }, parameters, signal),
    placeholderData: keepPreviousData,
    enabled: isOpen,
  })
  return { entries: data?.entries ?? [], isWaiting: isFetching || settled !== text, error }
}
