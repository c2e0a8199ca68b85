// Shows the entries and components that use a file, as far as the user may see them.

import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslations } from 'use-intl'
import { type FileUse, readUses } from '../api/media.ts'
import { useErrorText } from '../app/error-text.ts'
import { useModel } from '../app/model-context.tsx'
import { entryName } from '../model/entry-name.ts'
import styles from './media.module.css'

const shownAtOnce = 20

export function FileUses({ id }: { readonly id: number }) {
  const t = useTranslations('media')
  const errorText = useErrorText()
  const model = useModel()
  const { data, error } = useQuery({
    queryKey: ['media', 'uses', id],
    queryFn: ({ signal }) => readUses(id, model, signal),
  })
  if (error !== null) return <p className={styles.note}>{errorText(error)}</p>
  if (data === undefined) return <p className={styles.note}>{t('searchingUses')}</p>
  const { entries, componentCount } = data
  const more = entries.length - shownAtOnce
  return (
    <div className={styles.uses}>
      {entries.length === 0 && componentCount === 0 && <p className={styles.note}>{t('unused')}</p>}
      {entries.length > 0 && (
        <ul>
          {entries.slice(0, shownAtOnce).map(use => (
            <li key={`${use.type.uid} ${use.entry.id}`} className={styles.use}>
              <UseLink use={use} />
              <span className={styles.fileNote}>{use.type.label}</span>
            </li>
          ))}
        </ul>
      )}
      {more > 0 && <p className={styles.note}>{t('moreUses', { count: more })}</p>}
      {componentCount > 0 && <p className={styles.note}>{t('usesInComponents', { count: componentCount })}</p>}
    </div>
  )
}

function UseLink({ use: { type, entry } }: { readonly use: FileUse }) {
  if (type.kind === 'single')
    return (
      <Link to="/content/$slug" params={{ slug: type.slug }}>
        {type.label}
      </Link>
    )
  return (
    <Link to="/content/$slug/$id" params={{ slug: type.slug, id: String(entry.id) }}>
      {entryName(type, entry)}
    </Link>
  )
}
