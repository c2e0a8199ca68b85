// Names the columns of lists.

import { useTranslations } from 'use-intl'
import type { Column } from '../../model/columns.ts'

type OwnName = 'id' | 'publishedAt' | 'locale' | 'createdAt' | 'updatedAt'

/** Returns what names a column: its label, or the message for one that every type has. */
export function useColumnLabel(): (column: Column) => string {
  const t = useTranslations('columns')
  return ({ name, label }) => label ?? t(name as OwnName)
}
