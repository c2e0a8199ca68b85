// Shows the text of another translation beside the inputs of a form.

import { createContext, type ReactNode, useContext } from 'react'
import { useTranslations } from 'use-intl'
import type { Attribute, Entry } from '../model/types.ts'
import styles from './form.module.css'

const ReferenceContext = createContext<Entry | null>(null)

interface ProviderProps {
  /** The translation; null for none. */
  readonly entry: Entry | null
  readonly children: ReactNode
}

export const ReferenceProvider = ({ entry, children }: ProviderProps) => (
  <ReferenceContext value={entry}>{children}</ReferenceContext>
)

interface ReferenceProps {
  readonly attribute: Attribute
  readonly path: string
}

/** The text of the other translation; nothing where it has none. */
export function Reference({ attribute, path }: ReferenceProps) {
  const t = useTranslations('languages')
  const entry = useContext(ReferenceContext)
  if (entry === null || !attribute.isLocalized || path !== attribute.name) return null
  const value = entry[attribute.name]
  if (typeof value !== 'string' || value === '') return null
  const locale = String(entry.locale)
  return (
    <blockquote
      className={styles.reference}
      lang={locale}
      aria-label={t('reference', { label: attribute.label, locale })}
    >
      {value}
    </blockquote>
  )
}
