// Compiles the statements that remove references of other rows to deleted entries, for references without a foreign
// key.

import type { ContentType } from '../../model/content-type.ts'
import type { Registry } from '../../model/registry.ts'
import type { Dialect } from '../dialect.ts'

/** A statement about a list of ids. */
export interface Release {
  readonly text: string
  /** True if the type of the entries is bound before their ids. */
  readonly bindsType: boolean
}

/** The statements for all references to entries of a type. */
export function releaseStatements(dialect: Dialect, registry: Registry, type: ContentType): readonly Release[] {
  const q = (name: string) => dialect.quote(name)
  const releases: Release[] = []
  const add = (text: string, bindsType: boolean) => releases.push({ text: dialect.finish(text), bindsType })
  for (const other of registry.values()) {
    for (const attribute of other.attributes.values()) {
      if (attribute.kind !== 'relation') continue
      const { storage } = attribute
      if (storage.kind === 'morphs') {
        add(`DELETE FROM ${q(storage.table)} WHERE ${q(storage.type)} = ? AND ${dialect.within(q(storage.id))}`, true)
      } else if (storage.kind === 'morphColumns') {
        const set = `${q('target_id')} = NULL, ${q('target_type')} = NULL`
        const where = `${q('target_type')} = ? AND ${dialect.within(q('target_id'))}`
        add(`UPDATE ${q(other.table)} SET ${set} WHERE ${where}`, true)
      } else if (storage.kind === 'column' && attribute.target === type.uid) {
        const column = q(storage.column)
        add(`UPDATE ${q(other.table)} SET ${column} = NULL WHERE ${dialect.within(column)}`, false)
      }
    }
  }
  return releases
}
