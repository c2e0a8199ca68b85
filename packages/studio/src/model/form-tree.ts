// Decides what the form of an entry shows: the attributes in the rows of the layout, and which of them the user may fill.

import { isTaken } from './build.ts'
import type { Attribute, Component, ContentType } from './types.ts'

/** A field of a form. */
export interface FormField {
  readonly attribute: Attribute
  readonly isDisabled: boolean
  /** True if the value is the same in all translations. */
  readonly isShared: boolean
  /** The share of the row's width. */
  readonly width: 'half' | 'full'
}

export type FormRow = readonly FormField[]

/** The rows of the form by which an entry is created or updated. */
export function formOf(type: ContentType, action: 'create' | 'update'): readonly FormRow[] {
  return rowsOf(type, attribute => ({
    isDisabled: attribute.isReadonly || !isTaken(type.rights, attribute.name, action),
    isShared: type.isLocalized && !attribute.isLocalized,
  }))
}

/** The rows of a component inside of a form. */
export function formOfComponent(component: Component, isDisabled: boolean): readonly FormRow[] {
  return rowsOf(component, attribute => ({ isDisabled: isDisabled || attribute.isReadonly, isShared: false }))
}

type State = Pick<FormField, 'isDisabled' | 'isShared'>

function rowsOf(type: ContentType | Component, stateOf: (attribute: Attribute) => State): readonly FormRow[] {
  const fieldOf = (attribute: Attribute, width: FormField['width']): FormField => ({
    attribute,
    width,
    ...stateOf(attribute),
  })
  const visibleAttributes = type.attributes.filter(({ isHidden }) => !isHidden)
  const rest = new Map(visibleAttributes.map(attribute => [attribute.name, attribute]))
  const rows: FormRow[] = []
  for (const names of type.layout ?? []) {
    const row = names.flatMap(name => rest.get(name) ?? [])
    for (const { name } of row) rest.delete(name)
    if (row.length > 0) rows.push(row.map(attribute => fieldOf(attribute, row.length > 1 ? 'half' : 'full')))
  }
  return [...rows, ...paired([...rest.values()]).map(row => row.map(([attribute, width]) => fieldOf(attribute, width)))]
}

/** Types whose inputs are narrow, so that two stand beside each other. */
const narrow = new Set([
  'integer',
  'biginteger',
  'decimal',
  'float',
  'boolean',
  'date',
  'time',
  'datetime',
  'timestamp',
  'enumeration',
  'email',
  'password',
])

type Sized = readonly [Attribute, FormField['width']]

/** Puts narrow attributes that follow each other into one row. */
function paired(attributes: readonly Attribute[]): readonly (readonly Sized[])[] {
  const rows: Sized[][] = []
  for (const attribute of attributes) {
    const isNarrow = narrow.has(attribute.type)
    const last = rows.at(-1)
    if (isNarrow && last?.length === 1 && last[0]![1] === 'half') last.push([attribute, 'half'])
    else rows.push([[attribute, isNarrow ? 'half' : 'full']])
  }
  return rows
}
