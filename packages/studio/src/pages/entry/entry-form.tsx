// The form of an entry: its fields, its state, and what is done with it.

import { ArrowLeft } from 'lucide-react'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { useForm } from 'react-hook-form'
import { useTranslations } from 'use-intl'
import { useModel, useUser } from '../../app/model-context.tsx'
import { useOpenForm } from '../../app/open-forms.ts'
import { usePageTitle } from '../../app/page-title.ts'
import { usePathTo } from '../../app/paths.ts'
import { EntryFormProvider, type FormValues } from '../../form/context.tsx'
import { ReferenceProvider } from '../../form/reference.tsx'
import { FormRows } from '../../form/rows.tsx'
import { useKeptDraft } from '../../form/use-kept-draft.ts'
import type { Copy } from '../../model/copied.ts'
import { entryName } from '../../model/entry-name.ts'
import { firstValues } from '../../model/first-values.ts'
import { formOf } from '../../model/form-tree.ts'
import type { ContentType, Entry, VersionedEntry } from '../../model/types.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { lastList } from '../list/last-visited.ts'
import { StateBadge } from '../state-badge.tsx'
import { ConflictNotice } from './conflict/conflict-notice.tsx'
import { ConflictView } from './conflict/conflict-view.tsx'
import styles from './entry.module.css'
import { Faults } from './faults.tsx'
import { KeptOffer } from './kept-offer.tsx'
import { Languages } from './languages.tsx'
import { LeaveGuard } from './leave-guard.tsx'
import { MediaPicking } from './media-picking.tsx'
import { addressOf, PreviewButtons, PreviewFrame } from './preview.tsx'
import { StatePanel } from './state-panel.tsx'
import { useEntryWrites } from './use-entry-writes.ts'
import { useReference } from './use-reference.ts'

export interface EntryFormProps {
  readonly type: ContentType
  /** The entry as it was read; null for one that is being made. */
  readonly stored: VersionedEntry | null
  readonly locale: string | null
  /** The values of a new entry that is a copy of another one. */
  readonly copy?: Copy | null
  /** The entry of which a new one becomes a translation. */
  readonly source?: Entry | null
}

export function EntryForm({ type, stored: first, locale, copy = null, source = null }: EntryFormProps) {
  const t = useTranslations('entry')
  const pathTo = usePathTo()
  const { components } = useModel()
  const [stored, setStored] = useState(first)
  const entry = stored?.entry ?? null
  const values = useMemo(() => firstValues(type, entry, components), [type, entry, components])
  const form = useForm<FormValues>({ defaultValues: first === null && copy !== null ? copy.values : values })
  const [localFaults] = useState(() => new Map<string, string>())
  const translates = source?.id ?? null
  const place = { userId: useUser().id, uid: type.uid, subject: subjectOf(type, entry, { copy, source }), locale }
  const drafts = useKeptDraft({ type, place, version: stored?.version ?? null, values, form })
  const writes = useEntryWrites({
    type,
    stored,
    locale,
    values,
    form,
    localFaults,
    translates,
    onStored: setStored,
    drafts,
  })
  useOpenForm()
  const { conflict } = writes
  // A single type is written by updates alone.
  const action = entry === null && type.kind === 'collection' ? 'create' : 'update'
  const rows = useMemo(() => formOf(type, action), [type, action])
  const subject = { type, entryId: entry?.id ?? null, locale }
  const title = entry === null ? t('new', { type: type.label }) : titleOf(type, entry)
  usePageTitle(title)
  useSaveKey(writes.save)
  const reference = useReference(type, entry, source)
  const [isPreviewed, setPreviewed] = useState(false)
  const address = addressOf(type, entry)
  const back = `${pathTo({ to: '/content/$slug', params: { slug: type.slug } })}${lastList(type.uid)}`
  return (
    <EntryFormProvider subject={subject} form={form} localFaults={localFaults}>
      <div className={styles.page}>
        <header className={styles.head}>
          {type.kind === 'collection' && (
            <ButtonLink look="quiet" isIcon href={back} aria-label={t('back', { types: type.listLabel })}>
              <ArrowLeft aria-hidden="true" />
            </ButtonLink>
          )}
          <div className={styles.titles}>
            {type.kind === 'collection' && <p className={styles.kind}>{type.label}</p>}
            <h1>{title}</h1>
          </div>
          {entry !== null && type.hasDrafts && <StateBadge entry={entry} />}
        </header>
        {conflict.current !== null && conflict.isShown && (
          <ConflictView type={type} conflict={conflict.current} tools={conflict} />
        )}
        <div className={styles.columns} hidden={conflict.isShown}>
          <div className={styles.fields}>
            {conflict.current !== null && !conflict.isShown && <ConflictNotice onShow={conflict.show} />}
            {conflict.current === null && drafts.offer !== null && (
              <KeptOffer
                type={type}
                draft={drafts.offer}
                version={stored?.version ?? null}
                onRestore={conflict.restore}
                onDiscard={drafts.discard}
              />
            )}
            <Faults type={type} faults={writes.faults} message={writes.message} />
            {entry === null && copy !== null && <CopyNotice copy={copy} source={source} />}
            {/* A new entry has another page as soon as it is stored, so nothing is typed meanwhile. */}
            <div className={styles.sheet} inert={entry === null && writes.isSending}>
              <ReferenceProvider entry={reference.entry}>
                <MediaPicking>
                  <FormRows rows={rows} />
                </MediaPicking>
              </ReferenceProvider>
            </div>
            {isPreviewed && address !== null && <PreviewFrame address={address} savedAt={String(entry?.updatedAt)} />}
          </div>
          <StatePanel
            type={type}
            entry={entry}
            writes={writes}
            back={back}
            languages={
              <Languages
                type={type}
                entry={entry}
                locale={locale}
                reference={reference.id}
                onReference={reference.choose}
              />
            }
            preview={<PreviewButtons address={address} isShown={isPreviewed} onShow={setPreviewed} />}
          />
        </div>
      </div>
      <LeaveGuard isBlocked={writes.isBlocking} />
    </EntryFormProvider>
  )
}

/** Names the form among those in which something is kept. */
function subjectOf(type: ContentType, entry: Entry | null, { copy, source }: Pick<EntryFormProps, 'copy' | 'source'>) {
  if (type.kind === 'single') return 'single'
  if (entry !== null) return String(entry.id)
  return copy === null ? 'new' : `copy ${source?.id ?? ''}`
}

/** Says what a copy lacks. */
function CopyNotice({ copy, source }: { readonly copy: Copy; readonly source: Entry | null }) {
  const t = useTranslations('copy')
  const names = copy.leftOut.map(({ label }) => label).join(', ')
  return (
    <Notice>
      <p>{source === null ? t('duplicate') : t('translation', { locale: String(source.locale) })}</p>
      {names !== '' && <p>{t('leftOut', { names })}</p>}
    </Notice>
  )
}

const titleOf = (type: ContentType, entry: Entry): string =>
  type.kind === 'single' ? type.label : entryName(type, entry)

/** Ctrl+S saves and stays on the page. */
function useSaveKey(save: () => void): void {
  const onKey = useCallback(
    (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 's' || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return
      event.preventDefault()
      // In a dialog it saves what the dialog is about.
      if ((event.target as Element).closest('[role=dialog], [role=alertdialog]') === null) save()
    },
    [save],
  )
  useEffect(() => {
    addEventListener('keydown', onKey, { capture: true })
    return () => removeEventListener('keydown', onKey, { capture: true })
  }, [onKey])
}
