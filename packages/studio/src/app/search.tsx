// The search over everything: types by their names, and entries by what they contain. Ctrl+K opens it.

import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { FileText, Folder, SearchIcon } from 'lucide-react'
import { useEffect, useState } from 'react'
import {
  Button as AriaButton,
  Autocomplete,
  Dialog,
  Header,
  Input,
  Label,
  ListBox,
  ListBoxItem,
  ListBoxSection,
  Modal,
  ModalOverlay,
  SearchField,
} from 'react-aria-components'
import { useTranslations } from 'use-intl'
import { listEntries } from '../api/entries.ts'
import { mayDo } from '../model/build.ts'
import { entryName } from '../model/entry-name.ts'
import { isReachable } from '../model/groups.ts'
import type { ContentType, Entry, Model } from '../model/types.ts'
import { useSettled } from '../ui/use-settled.ts'
import { useModel } from './model-context.tsx'
import { usePathTo } from './paths.ts'
import styles from './search.module.css'

export function Search() {
  const t = useTranslations('search')
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    const open = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return
      event.preventDefault()
      setOpen(true)
    }
    addEventListener('keydown', open, { capture: true })
    return () => removeEventListener('keydown', open, { capture: true })
  }, [])
  return (
    <>
      <AriaButton className={styles.trigger!} onPress={() => setOpen(true)} aria-label={t('open')}>
        <SearchIcon aria-hidden="true" />
        <span className={styles.triggerText}>{t('open')}</span>
        <span className={styles.key} data-key={t('key')} aria-hidden="true" />
      </AriaButton>
      <ModalOverlay className={styles.overlay!} isOpen={isOpen} onOpenChange={setOpen} isDismissable>
        <Modal className={styles.modal!}>
          <Dialog aria-label={t('open')} className={styles.dialog!}>
            <SearchPanel onClose={() => setOpen(false)} />
          </Dialog>
        </Modal>
      </ModalOverlay>
    </>
  )
}

interface FoundEntries {
  readonly type: ContentType
  readonly entries: readonly Entry[]
}

const entriesEach = 5
const typesAtATime = 3

/** Searches a few types at a time, in the order of the model. */
async function findEntries(model: Model, text: string, signal: AbortSignal): Promise<readonly FoundEntries[]> {
  const types = model.types.filter(type => type.kind === 'collection' && !type.isHidden && mayDo(type, 'find'))
  const results: FoundEntries[] = []
  for (let first = 0; first < types.length; first += typesAtATime) {
    const some = types.slice(first, first + typesAtATime)
    results.push(...(await Promise.all(some.map(type => findIn(type, model, text, signal)))))
  }
  return results.filter(({ entries }) => entries.length > 0)
}

async function findIn(type: ContentType, model: Model, text: string, signal: AbortSignal): Promise<FoundEntries> {
  const parameters = {
    _q: text,
    pagination: { pageSize: entriesEach, withCount: false },
    ...(type.isLocalized && { locale: 'all' }),
  }
  return { type, entries: (await listEntries({ type, model }, parameters, signal)).entries }
}

function SearchPanel({ onClose }: { readonly onClose: () => void }) {
  const t = useTranslations('search')
  const model = useModel()
  const router = useRouter()
  const pathTo = usePathTo()
  const [text, setText] = useState('')
  const settled = useSettled(text.trim(), 200)
  const { data: found = [], isFetching } = useQuery({
    queryKey: ['search', settled],
    queryFn: ({ signal }) => findEntries(model, settled, signal),
    enabled: settled.length > 1,
    placeholderData: keepPreviousData,
  })
  const types = model.types.filter(
    type => isReachable(type) && !type.isHidden && type.listLabel.toLowerCase().includes(text.trim().toLowerCase()),
  )
  const shownEntries = settled.length > 1 ? found : []
  const go = (path: string) => {
    onClose()
    router.history.push(path)
  }
  return (
    <Autocomplete inputValue={text} onInputChange={setText}>
      <SearchField className={styles.field!} autoFocus>
        <Label className={styles.hidden!}>{t('label')}</Label>
        <SearchIcon aria-hidden="true" />
        <Input className={styles.input!} placeholder={t('placeholder')} />
      </SearchField>
      <ListBox
        className={styles.results!}
        aria-label={t('results')}
        onAction={path => go(String(path))}
        renderEmptyState={() => <p className={styles.none}>{isFetching ? t('searching') : t('none')}</p>}
      >
        {types.length > 0 && (
          <ListBoxSection>
            <Header className={styles.heading!}>{t('types')}</Header>
            {types.map(type => (
              <ListBoxItem
                key={type.uid}
                id={pathTo({ to: '/content/$slug', params: { slug: type.slug } })}
                textValue={type.listLabel}
                className={styles.result!}
              >
                <Folder aria-hidden="true" />
                <span>{type.listLabel}</span>
              </ListBoxItem>
            ))}
          </ListBoxSection>
        )}
        {shownEntries.map(({ type, entries }) => (
          <ListBoxSection key={type.uid}>
            <Header className={styles.heading!}>{type.listLabel}</Header>
            {entries.map(entry => (
              <ListBoxItem
                key={entry.id}
                id={pathTo({ to: '/content/$slug/$id', params: { slug: type.slug, id: String(entry.id) } })}
                textValue={entryName(type, entry)}
                className={styles.result!}
              >
                <FileText aria-hidden="true" />
                <span>{entryName(type, entry)}</span>
                {type.isLocalized && <span className={styles.note}>{String(entry.locale)}</span>}
              </ListBoxItem>
            ))}
          </ListBoxSection>
        ))}
      </ListBox>
    </Autocomplete>
  )
}
