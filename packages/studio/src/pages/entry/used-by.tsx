// The entries that link the one on the page. They are looked for when somebody wants to know.

import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { Button, Disclosure, DisclosurePanel, Heading } from 'react-aria-components'
import { useTranslations } from 'use-intl'
import { findLinking, type LinkingEntries } from '../../api/used-by.ts'
import { useErrorText } from '../../app/error-text.ts'
import { useModel } from '../../app/model-context.tsx'
import { entryName } from '../../model/entry-name.ts'
import type { ContentType } from '../../model/types.ts'
import { linkingTypes } from '../../model/used-by.ts'
import styles from './used-by.module.css'

interface UsedByProps {
  readonly type: ContentType
  readonly id: number
}

export function UsedBy({ type, id }: UsedByProps) {
  const t = useTranslations('usedBy')
  const model = useModel()
  const [isOpen, setOpen] = useState(false)
  if (linkingTypes(type, model).length === 0) return null
  return (
    <Disclosure className={styles.part!} isExpanded={isOpen} onExpandedChange={setOpen}>
      <Heading level={2} className={styles.heading}>
        <Button slot="trigger" className={styles.trigger!}>
          <ChevronRight aria-hidden="true" />
          {t('title')}
        </Button>
      </Heading>
      <DisclosurePanel>{isOpen && <Found type={type} id={id} />}</DisclosurePanel>
    </Disclosure>
  )
}

function Found({ type, id }: UsedByProps) {
  const t = useTranslations('usedBy')
  const errorText = useErrorText()
  const model = useModel()
  const { data, error } = useQuery({
    queryKey: ['entries', type.uid, 'used-by', id],
    queryFn: ({ signal }) => findLinking({ type, id, model }, signal),
  })
  if (error !== null) return <p className={styles.note}>{errorText(error)}</p>
  if (data === undefined) return <p className={styles.note}>{t('searching')}</p>
  return (
    <div className={styles.found}>
      {data.length === 0 && <p className={styles.note}>{t('none')}</p>}
      {data.map(one => (
        <OfType key={one.type.uid} linking={one} />
      ))}
      <p className={styles.note}>{t('notInZones')}</p>
    </div>
  )
}

function OfType({ linking: { type, entries, total } }: { readonly linking: LinkingEntries }) {
  const t = useTranslations('usedBy')
  const more = total - entries.length
  return (
    <div>
      <h3 className={styles.type}>{type.listLabel}</h3>
      <ul>
        {entries.map(entry => (
          <li key={entry.id}>
            {type.kind === 'single' ? (
              <Link to="/content/$slug" params={{ slug: type.slug }}>
                {type.label}
              </Link>
            ) : (
              <Link to="/content/$slug/$id" params={{ slug: type.slug, id: String(entry.id) }}>
                {entryName(type, entry)}
              </Link>
            )}
            {typeof entry.locale === 'string' && <span className={styles.locale}>{entry.locale}</span>}
          </li>
        ))}
      </ul>
      {more > 0 && <p className={styles.note}>{t('more', { count: more })}</p>}
    </div>
  )
}
