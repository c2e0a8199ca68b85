// The input for dynamic zones: components of several kinds, one after another.

import { useMemo } from 'react'
import { useModel } from '../../app/model-context.tsx'
import { useFormSubject } from '../../form/context.tsx'
import { ItemList } from '../items/item-list.tsx'
import { UnreadList } from '../items/unread-list.tsx'
import type { InputProps } from '../props.ts'

export function ZoneInput(props: InputProps) {
  const model = useModel()
  const { entryId } = useFormSubject()
  const { components: uids } = props.attribute.options
  const components = useMemo(
    () => (uids as readonly string[]).flatMap(uid => model.components.get(uid) ?? []),
    [uids, model],
  )
  return props.value === undefined && entryId !== null ? (
    <UnreadList {...props} />
  ) : (
    <ItemList input={props} components={components} component={null} />
  )
}
