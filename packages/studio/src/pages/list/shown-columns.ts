// Remembers which columns of a list the user has chosen, for each type in this browser.

import { useMemo, useState } from 'react'
import { keepPreference, readPreference } from '../../api/storage.ts'
import { type Column, firstColumns } from '../../model/columns.ts'
import type { ContentType } from '../../model/types.ts'

interface ShownColumns {
  readonly shown: readonly Column[]
  readonly show: (names: readonly string[]) => void
}

export function useShownColumns(type: ContentType, columns: readonly Column[]): ShownColumns {
  const preference = `columns.${type.uid}`
  const [names, setNames] = useState(() => readPreference<readonly string[]>(preference) ?? firstColumns(type))
  const shownColumns = useMemo(() => {
    const chosen = names.flatMap(name => columns.find(one => one.name === name) ?? [])
    return chosen.length > 0 ? chosen : columns.filter(({ name }) => name === type.mainField)
  }, [names, columns, type])
  const show = (next: readonly string[]) => {
    keepPreference(preference, next)
    setNames(next)
  }
  return { shown: shownColumns, show }
}
