// The input for components: one of them, or as many as wanted.

import { useMemo } from 'react'
import { useModel } from '../../app/model-context.tsx'
import { useFormSubject } from '../../form/context.tsx'
import { ItemList } from '../items/item-list.tsx'
import { UnreadList } from '../items/unread-list.tsx'
import { LockedInput } from '../locked.tsx'
import type { InputProps } from '../props.ts'
import { SingleComponent } from './single.tsx'

export function ComponentInput(props: InputProps) {
  const model = useModel()
  const { entryId } = useFormSubject()
  const { component: uid, repeatable } = props.attribute.options
  const component = model.components.get(String(uid))
  const components = useMemo(() => (component === undefined ? [] : [component]), [component])
  if (props.value === undefined && entryId !== null) return <UnreadList {...props} />
  if (component === undefined) return <LockedInput {...props} />
  if (repeatable === true) return <ItemList input={props} components={components} component={component.uid} />
  return <SingleComponent input={props} component={component} />
}
