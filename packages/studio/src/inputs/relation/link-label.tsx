// Names a linked entry, with its state and its language.

import { useTranslations } from 'use-intl'
import { type Link, linkName } from '../../model/relations.ts'
import type { ContentType } from '../../model/types.ts'
import { Badge } from '../../ui/notice.tsx'
import styles from './relation.module.css'

interface LabelProps {
  readonly link: Link
  readonly type: ContentType | undefined
  readonly isTypeShown?: boolean
}

export function LinkLabel({ link, type, isTypeShown = false }: LabelProps) {
  const t = useTranslations('state')
  const isDraft = link.publishedAt === null
  return (
    <>
      <span className={styles.name}>{linkName(link, type)}</span>
      <span className={styles.badges}>
        {isTypeShown && type !== undefined && <span className={styles.kind}>{type.label}</span>}
        {typeof link.locale === 'string' && <Badge>{link.locale}</Badge>}
        {type?.hasDrafts && link.publishedAt !== undefined && (
          <Badge tone={isDraft ? 'warn' : 'good'} hasDot>
            {isDraft ? t('draft') : t('published')}
          </Badge>
        )}
      </span>
    </>
  )
}
