// Searches entries of one type while somebody types, and hands on the one that is chosen.

import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { SearchIcon } from 'lucide-react'
import { useState } from 'react'
import {
  Button as AriaButton,
  Autocomplete,
  Dialog,
  DialogTrigger,
  Input,
  ListBox,
  ListBoxItem,
  Popover,
  SearchField,
} from 'react-aria-components'
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
  const { label, placeholder } = props
  const [isOpen, setOpen] = useState(false)
  return (
    <DialogTrigger isOpen={isOpen} onOpenChange={setOpen}>
      <AriaButton className={classNames(fieldStyles.input, styles.trigger)} aria-label={`${placeholder}: ${label}`}>
        <SearchIcon aria-hidden="true" />
        <span className={styles.placeholder}>{placeholder}</span>
      </AriaButton>
      <Popover
        className={classNames(menuStyles.popover, styles.popover)}
        placement="bottom start"
        offset={4}
        maxHeight={360}
      >
        <Dialog aria-label={label} className={styles.dialog!}>
          <Offers {...props} onClose={() => setOpen(false)} />
        </Dialog>
      </Popover>
    </DialogTrigger>
  )
}

function Offers(props: SearchProps & { readonly onClose: () => void }) {
  const { type, label, onChoose, onClose } = props
  const t = useTranslations('relation')
  const errorText = useErrorText()
  const [text, setText] = useState('')
  const { entries, isWaiting, error } = useOffers(props, text.trim())
  const choose = (key: unknown) => {
    const entry = entries.find(({ id }) => id === Number(key))
    if (entry === undefined) return
    onClose()
    onChoose(entry)
  }
  return (
    <Autocomplete inputValue={text} onInputChange={setText} disableAutoFocusFirst>
      <SearchField aria-label={label} autoFocus className={styles.field!}>
        <SearchIcon aria-hidden="true" />
        <Input className={fieldStyles.search!} placeholder={t('type')} />
      </SearchField>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reachable by keys */}
      <section className={styles.offers} tabIndex={0} aria-label={t('offers', { types: type.listLabel })}>
        <ListBox
          aria-label={t('offers', { types: type.listLabel })}
          items={entries}
          onAction={choose}
          renderEmptyState={() => (
            <p className={styles.empty} role="status">
              {error !== null ? errorText(error) : t(isWaiting ? 'searching' : 'noneFound')}
            </p>
          )}
        >
          {entry => (
            <ListBoxItem id={entry.id} textValue={entryName(type, entry)} className={menuStyles.item!}>
              <LinkLabel link={entry} type={type} />
            </ListBoxItem>
          )}
        </ListBox>
      </section>
      {entries.length === offeredAtOnce && <p className={styles.more}>{t('more')}</p>}
    </Autocomplete>
  )
}

/** Asks when nobody has typed for a moment. A question that is followed by another one is cancelled. */
function useOffers({ type, locale, without, excluded }: SearchProps, text: string) {
  const model = useModel()
  const settled = useSettled(text, 200)
  const ids = excluded === null ? without : [...without, excluded]
  const parameters = offerParameters(type, { text: settled, locale, without: ids })
  const { data, isFetching, error } = useQuery({
    queryKey: ['entries', type.uid, 'offers', parameters],
    queryFn: ({ signal }) => listEntries({ type, model }, parameters, signal),
    placeholderData: keepPreviousData,
  })
  return { entries: data?.entries ?? [], isWaiting: isFetching || settled !== text, error }
}
