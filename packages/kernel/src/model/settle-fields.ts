// Gives the attributes that are custom fields their base types, before the model is closed (B-10.19): from then on each is
// an attribute of that type, as in v4. Where nobody has registered a type, the column of the database decides.

import type { AttributeTypeSet } from './attribute-type-set.ts'
import type { Storage } from './attribute-types.ts'
import type { CustomFieldSet, SettledField } from './base-types.ts'
import type { AttributeDefinition, ContentType } from './content-type.ts'
import { checkDefinition } from './definition.ts'
import type { TypeDraft } from './draft.ts'
import { FaultList } from './fault-list.ts'
import { columnName } from './naming.ts'

/** A column of the database as it is. */
export interface StoredColumn {
  /** The type as the database spells it. */
  readonly type: string
  /** The storage of the attributes that Plinth would store in such a column; null for a type that no attribute has. */
  readonly storage: Storage | null
  /** Returns whether values of this storage are read from it unchanged. */
  holds(storage: Storage): boolean
}

/** The type to whose table a column belongs, with its former names. */
export type TableOwner = Pick<ContentType, 'uid' | 'kind' | 'singularName' | 'table' | 'renamedFrom'>

/** Finds the column of an attribute by its possible names; null if the database has none of them, or is not known. */
export type FindColumn = (owner: TableOwner, names: readonly string[]) => StoredColumn | null

/** Finds nothing, for a model without a database. */
export const noColumn: FindColumn = () => null

/** The sources of base types. */
export interface FieldSources {
  readonly fields: CustomFieldSet
  readonly types: AttributeTypeSet
  readonly findColumn: FindColumn
  readonly warn: (message: string) => void
}

/** Returns whether an attribute is a custom field that has no base type yet. */
export const isUnsettled = ({ type }: AttributeDefinition): boolean => type === 'customField'

/** Replaces custom fields by attributes of their base types. Throws InvalidSchemaError for options that do not fit. */
export function settleFields(draft: TypeDraft, sources: FieldSources): void {
  const faults = new FaultList(draft.source)
  for (const [name, definition] of draft.attributes) {
    if (!isUnsettled(definition)) continue
    const customField = String(definition.customField)
    const base = baseOf(customField, () => columnOf(draft, name, definition, sources.findColumn), sources)
    const settled = { ...definition, type: base.type }
    draft.attributes.set(name, settled)
    sources.fields.settle({ uid: draft.uid, attribute: name, customField, ...base })
    // Its names were checked when the schema was added; its values depend on the base type.
    checkDefinition(
      settled,
      (option, fault) => faults.add(`attributes.${name}.${option}`, fault),
      (option, fault) => {
        if (option === 'default') sources.warn(`${draft.source}: attributes.${name}.${option}: ${fault}`)
      },
    )
  }
  faults.throw()
}

function columnOf(
  draft: TypeDraft,
  name: string,
  { columnName: own, renamedFrom = [] }: AttributeDefinition,
  findColumn: FindColumn,
): StoredColumn | null {
  const former = [renamedFrom].flat().map(one => columnName(String(one)))
  return findColumn(draft, [typeof own === 'string' ? own : columnName(name), ...former])
}

type Base = Pick<SettledField, 'type' | 'isGuessed' | 'source'>

function baseOf(customField: string, column: () => StoredColumn | null, { fields, types }: FieldSources): Base {
  const registered = fields.get(customField)
  if (registered !== undefined && !registered.isFallback) return { ...registered, isGuessed: false }
  const stored = column()
  if (registered !== undefined && (stored === null || holds(stored, registered.type, types)))
    return { ...registered, isGuessed: false }
  if (stored === null)
    return { type: 'text', isGuessed: true, source: 'nothing says which it is, and there is no column yet' }
  const but = registered === undefined ? '' : `; ${registered.source} has "${registered.type}", which it cannot hold`
  return { type: stored.storage ?? 'text', isGuessed: true, source: `from the column, which is ${stored.type}${but}` }
}

/** Returns whether a column can have the values of a scalar attribute type. */
function holds(column: StoredColumn, word: string, types: AttributeTypeSet): boolean {
  const type = types.get(word)
  // A type whose plugin is missing stops the start. The column must not make another type of it.
  return type === undefined || ('storage' in type && column.holds(type.storage))
}
