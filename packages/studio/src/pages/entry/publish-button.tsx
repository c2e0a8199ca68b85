// Publishes an entry. Drafts that it links are named first, because they stay hidden.

import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useModel } from '../../app/model-context.tsx'
import { useFormReader } from '../../form/context.tsx'
import { type LinkedDraft, linkedDrafts } from '../../model/linked-drafts.ts'
import type { ContentType } from '../../model/types.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import styles from './entry.module.css'
import type { EntryWrites } from './use-entry-writes.ts'

interface PublishProps {
  readonly type: ContentType
  readonly writes: EntryWrites
}

export function PublishButton({ type, writes }: PublishProps) {
  const t = useTranslations('panel')
  const words = useTranslations('words')
  const model = useModel()
  const read = useFormReader()
  const [drafts, setDrafts] = useState<readonly LinkedDraft[]>([])
  const publish = () => writes.saveAs('published')
  const press = () => {
    const values = Object.fromEntries(type.attributes.map(({ name }) => [name, read(name)]))
    const linked = linkedDrafts(type.attributes, values, model)
    if (linked.length === 0) publish()
    else setDrafts(linked)
  }
  const close = () => setDrafts([])
  return (
    <>
      <Button look="primary" isWide isDisabled={writes.isBusy} onPress={press}>
        {t(writes.hasChanges ? 'saveAndPublish' : 'publish')}
      </Button>
      <Dialog
        title={t('draftsTitle', { count: drafts.length })}
        isOpen={drafts.length > 0}
        onClose={close}
        isAlert
        actions={
          <>
            <Button onPress={close}>{words('cancel')}</Button>
            <Button
              look="primary"
              autoFocus
              onPress={() => {
                close()
                publish()
              }}
            >
              {t('publishAnyway')}
            </Button>
          </>
        }
      >
        <p>{t('draftsText')}</p>
        <ul className={styles.drafts}>
          {drafts.map(draft => (
            <li key={`${draft.type.uid} ${draft.id}`}>
              <Link to="/content/$slug/$id" params={{ slug: draft.type.slug, id: String(draft.id) }} target="_blank">
                {draft.name}
              </Link>{' '}
              ({draft.type.label})
            </li>
          ))}
        </ul>
      </Dialog>
    </>
  )
}
