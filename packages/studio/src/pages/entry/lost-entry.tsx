// Stands in the place of an entry that does not exist any more: what was typed there and not saved can still be copied.

import { useEffect, useState } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { MissingPage } from '../../app/missing.tsx'
import { deleteDraft, type FoundDraft, findDrafts } from '../../form/kept-drafts.ts'
import type { DraftKey } from '../../model/kept-draft.ts'
import type { ContentType } from '../../model/types.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { copiedText } from './conflict/copied-text.ts'
import { CopyButton } from './conflict/copy-button.tsx'
import styles from './entry.module.css'

interface LostProps {
  readonly type: ContentType
  readonly userId: number
  readonly id: number
}

export function LostEntry({ type, userId, id }: LostProps) {
  const t = useTranslations('kept')
  const format = useFormatter()
  const [drafts, setDrafts] = useState<readonly FoundDraft[]>([])
  const { uid } = type
  useEffect(() => {
    let isCurrent = true
    const isHere = (key: DraftKey) => key.userId === userId && key.uid === uid && key.subject === String(id)
    void findDrafts(isHere).then(next => isCurrent && setDrafts(next))
    return () => {
      isCurrent = false
    }
  }, [userId, uid, id])
  const [draft] = drafts
  if (draft === undefined) return <MissingPage />
  const discard = () => {
    void deleteDraft(draft.name)
    setDrafts(drafts.slice(1))
  }
  const names = type.attributes.filter(({ name }) => name in draft.mine).map(({ label }) => label)
  const time = format.dateTime(new Date(draft.savedAt), { dateStyle: 'medium', timeStyle: 'short' })
  return (
    <div className={styles.page}>
      <h1>{t('lostTitle')}</h1>
      <Notice>
        <p>{t('lostText', { time, names: format.list(names) })}</p>
        <div className={styles.offer}>
          <CopyButton text={() => copiedText(type.attributes, draft.mine)} />
          <Button onPress={discard}>{t('discard')}</Button>
        </div>
      </Notice>
    </div>
  )
}
