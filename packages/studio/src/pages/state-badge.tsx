// Says whether an entry is published.

import { useTranslations } from 'use-intl'
import type { Entry } from '../model/types.ts'
import { Badge } from '../ui/notice.tsx'

export function StateBadge({ entry }: { readonly entry: Entry }) {
  const t = useTranslations('state')
  const isDraft = entry.publishedAt === null || entry.publishedAt === undefined
  return (
    <Badge tone={isDraft ? 'warn' : 'good'} hasDot>
      {isDraft ? t('draft') : t('published')}
    </Badge>
  )
}
