// Says above the form that a conflict is open, so that nothing can be written.

import { useTranslations } from 'use-intl'
import { Button } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/notice.tsx'
import styles from './conflict.module.css'

export function ConflictNotice({ onShow }: { readonly onShow: () => void }) {
  const t = useTranslations('conflict')
  return (
    <Notice tone="warn">
      <p>{t('stillOpen')}</p>
      <div className={styles.noticeActions}>
        <Button isSmall autoFocus onPress={onShow}>
          {t('compare')}
        </Button>
      </div>
    </Notice>
  )
}
