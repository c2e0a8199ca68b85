// Shows that an address leads to nothing that the user may see.

import { Compass } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { Empty } from '../ui/notice.tsx'

export function MissingPage() {
  const t = useTranslations('missing')
  return (
    <Empty icon={<Compass aria-hidden="true" />} title={t('title')}>
      <p>{t('text')}</p>
    </Empty>
  )
}
