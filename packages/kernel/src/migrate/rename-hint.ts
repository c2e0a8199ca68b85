// Says how an attribute keeps the values of a column that the model names no more, where it is probably the same one under
// another name. Knows no plan.

import type { Ddl } from '../connection/ddl.ts'
import type { Registry } from '../model/registry.ts'
import type { MigrationStep } from './step.ts'

/** Unused columns and executed steps of a start. */
export interface StartResult {
  readonly ddl: Pick<Ddl, 'fit'>
  /** Tables and columns that the model does not use, as `table` or `table.column`. */
  readonly unknown: readonly string[]
  /** The steps that have run. */
  readonly done: readonly MigrationStep[]
}

/** The end of a warning about unused columns; empty if none of them is in a table of the model. */
export function renameHint(registry: Registry, { ddl, unknown, done }: StartResult): string {
  const columns = unknown.flatMap(name => {
    const [table = '', column] = name.split('.')
    return column === undefined ? [] : [{ table, column }]
  })
  if (columns.length === 0) return ''
  const hints = columns.flatMap(({ table, column }) => {
    const added = done.filter(one => one.kind === 'add' && one.column?.table === table)
    return added.flatMap(one => {
      const type = registry.values().find(({ uid }) => uid === one.uid)
      const attributes = [...(type?.attributes.values() ?? [])]
      const attribute = attributes.find(
        ({ name, ...own }) => 'column' in own && ddl.fit(String(own.column)) === one.column!.name,
      )
      if (type === undefined || attribute === undefined) return []
      return `if the new attribute ${attribute.name} of ${type.uid} is the former ${column}, write "renamedFrom": "${column}" on it`
    })
  })
  const [hint = 'if one of them is an attribute under another name, write the former name as "renamedFrom" on it'] =
    hints
  return `; ${hint}, and \`plinth migrate apply\` keeps the values`
}
