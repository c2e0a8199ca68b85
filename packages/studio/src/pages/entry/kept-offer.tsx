// Offers what was typed in the form earlier and not saved.

import { useFormatter, useTranslations } from 'use-intl'
import type { FoundDraft } from '../../form/kept-drafts.ts'
import type { ContentType } from '../../model/types.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import styles from './entry.module.css'

interface OfferProps {
  readonly type: ContentType
  readonly draft: FoundDraft
  /** The version of the entry in the form. */
  readonly version: string | null
  readonly onRestore: (draft: FoundDraft) => void
  readonly onDiscard: () => void
}

export function KeptOffer({ type, draft, version, onRestore, onDiscard }: OfferProps) {
  const t = useTranslations('kept')
  const format = useFormatter()
  const names = type.attributes.filter(({ name }) => name in draft.mine).map(({ label }) => label)
  const time = format.dateTime(new Date(draft.savedAt), { dateStyle: 'medium', timeStyle: 'short' })
  return (
    <Notice>
      <p>
        <strong>{t('title', { time })}</strong>
      </p>
      <p>
        {t('fields', { names: format.list(names) })} {draft.key.version !== version && t('newer')}
      </p>
      <div className={styles.offer}>
        <Button look="primary" isSmall onPress={() => onRestore(draft)}>
          {t('restore')}
        </Button>
        <Button isSmall onPress={onDiscard}>
          {t('discard')}
        </Button>
      </div>
    </Notice>
  )
}
