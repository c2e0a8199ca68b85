// The panel beside a form: the state of the entry, and the buttons that write. A button says what it changes.

import { useNavigate } from '@tanstack/react-router'
import { Copy, Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { start } from '../../api/start.ts'
import { usePathTo } from '../../app/paths.ts'
import { isTaken, mayDo } from '../../model/build.ts'
import type { ContentType, Entry } from '../../model/types.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Dialog } from '../../ui/dialog.tsx'
import styles from './entry.module.css'
import { PublishButton } from './publish-button.tsx'
import type { EntryWrites } from './use-entry-writes.ts'
import { UsedBy } from './used-by.tsx'

interface PanelProps {
  readonly type: ContentType
  readonly entry: Entry | null
  readonly writes: EntryWrites
  /** The path of the list. */
  readonly back: string
  /** The content between the buttons and the facts. */
  readonly languages: ReactNode
  /** The content at the beginning of the actions. */
  readonly preview: ReactNode
}

export function StatePanel({ type, entry, writes, back, languages, preview }: PanelProps) {
  const t = useTranslations('panel')
  return (
    <aside className={styles.panel} aria-label={t('title')}>
      <WriteButtons type={type} entry={entry} writes={writes} />
      <div className={styles.details}>
        {languages}
        <EntryFacts type={type} entry={entry} />
        {entry !== null && <UsedBy type={type} id={entry.id} />}
        {entry !== null && (
          <div className={styles.actions}>
            {preview}
            {type.kind === 'collection' && mayDo(type, 'create') && <DuplicateLink type={type} entry={entry} />}
            {mayDo(type, 'delete') && <DeleteButton type={type} writes={writes} back={back} />}
          </div>
        )}
      </div>
    </aside>
  )
}

function WriteButtons({ type, entry, writes }: Pick<PanelProps, 'type' | 'entry' | 'writes'>) {
  const t = useTranslations('panel')
  const action = entry === null && type.kind === 'collection' ? 'create' : 'update'
  if (!mayDo(type, action)) return <p className={styles.hint}>{t('readOnly')}</p>
  const mayPublish = type.hasDrafts && isTaken(type.rights, 'publishedAt', action)
  const isDraft = type.hasDrafts && (entry?.publishedAt ?? null) === null
  const { isBusy, hasChanges } = writes
  // The server publishes what a role makes that may not say otherwise.
  const publishes = entry === null && isDraft && !mayPublish && !start.beginsAsDraft
  const canSave = !isBusy && (hasChanges || entry === null)
  return (
    <div className={styles.buttons}>
      <Button look={isDraft && mayPublish ? 'plain' : 'primary'} isWide isDisabled={!canSave} onPress={writes.save}>
        {t(!type.hasDrafts ? 'save' : publishes ? 'savePublishes' : isDraft ? 'saveDraft' : 'saveLive')}
      </Button>
      {publishes && <p className={classNames(styles.hint, styles.meaning)}>{t('publishesHint')}</p>}
      {type.hasDrafts && !isDraft && <p className={classNames(styles.hint, styles.meaning)}>{t('liveHint')}</p>}
      {mayPublish && isDraft && <PublishButton type={type} writes={writes} />}
      {mayPublish && !isDraft && (
        <Button isWide isDisabled={isBusy} onPress={() => writes.saveAs('draft')}>
          {t('unpublish')}
        </Button>
      )}
      <p className={styles.hint} role="status">
        {hasChanges ? t('unsaved') : entry === null ? '' : t('nothingToSave')}
      </p>
    </div>
  )
}

function EntryFacts({ type, entry }: Pick<PanelProps, 'type' | 'entry'>) {
  const t = useTranslations('panel')
  const format = useFormatter()
  const moment = (value: unknown) =>
    typeof value === 'string' ? format.dateTime(new Date(value), { dateStyle: 'medium', timeStyle: 'short' }) : '–'
  const facts: (readonly [string, string])[] = []
  if (entry !== null) facts.push([t('id'), String(entry.id)])
  if (entry !== null && type.hasDrafts) facts.push([t('publishedAt'), moment(entry.publishedAt)])
  if (entry !== null) facts.push([t('updatedAt'), moment(entry.updatedAt)], [t('createdAt'), moment(entry.createdAt)])
  if (facts.length === 0) return null
  return (
    <dl className={styles.facts}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

function DuplicateLink({ type, entry }: { readonly type: ContentType; readonly entry: Entry }) {
  const t = useTranslations('panel')
  const pathTo = usePathTo()
  const search = { from: entry.id, ...(typeof entry.locale === 'string' && { locale: entry.locale }) }
  return (
    <ButtonLink look="quiet" isSmall href={pathTo({ to: '/content/$slug/new', params: { slug: type.slug }, search })}>
      <Copy aria-hidden="true" />
      {t('duplicate')}
    </ButtonLink>
  )
}

function DeleteButton({ type, writes, back }: Pick<PanelProps, 'type' | 'writes' | 'back'>) {
  const t = useTranslations('panel')
  const words = useTranslations('words')
  const navigate = useNavigate()
  const [isOpen, setOpen] = useState(false)
  const remove = async () => {
    if (await writes.remove()) await navigate({ href: back })
    setOpen(false)
  }
  return (
    <>
      <Button look="quiet" isSmall isDisabled={writes.isBusy} onPress={() => setOpen(true)}>
        <Trash2 aria-hidden="true" />
        {t('delete')}
      </Button>
      <Dialog
        title={t('deleteTitle', { type: type.label })}
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        isAlert
        actions={
          <>
            <Button autoFocus onPress={() => setOpen(false)}>
              {words('cancel')}
            </Button>
            <Button look="danger" isDisabled={writes.isBusy} onPress={() => void remove()}>
              {t('delete')}
            </Button>
          </>
        }
      >
        <p>{t('deleteText')}</p>
      </Dialog>
    </>
  )
}
