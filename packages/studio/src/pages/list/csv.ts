// Writes entries as a table for spreadsheets. What a spreadsheet would take for a formula becomes text.

import Papa from 'papaparse'
import type { Column } from '../../model/columns.ts'
import { entryName } from '../../model/entry-name.ts'
import type { ContentType, Entry, Model } from '../../model/types.ts'

interface Table {
  readonly entries: readonly Entry[]
  readonly columns: readonly { readonly column: Column; readonly label: string }[]
  readonly type: ContentType
  readonly model: Model
}

/** Also behind spaces of any kind, which spreadsheets pass over. */
const formula = /^[\s\u00a0\u200b\ufeff]*[=+\-@\t\r]/

/** The text of the file, with the mark by which spreadsheets know UTF-8. */
export function writeCsv({ entries, columns, type, model }: Table): string {
  const fields = columns.map(({ label }) => label)
  const data = entries.map(entry => columns.map(({ column }) => cellOf(entry[column.name], column, { type, model })))
  return `\ufeff${Papa.unparse({ fields, data }, { escapeFormulae: formula, newline: '\r\n' })}\r\n`
}

/** Numbers stay numbers; everything else is text. */
function cellOf(value: unknown, column: Column, { type, model }: Pick<Table, 'type' | 'model'>): unknown {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number' || typeof value === 'boolean') return value
  if (column.type === 'relation') {
    const target = type.attributes.find(({ name }) => name === column.name)?.options.target
    const targetType = model.typesByUid.get(String(target)) ?? { mainField: 'id' }
    return (listOf(value) as readonly Entry[]).map(entry => entryName(targetType, entry)).join(', ')
  }
  if (column.type === 'media')
    return (listOf(value) as readonly { readonly url: string }[]).map(({ url }) => url).join(' ')
  return String(value)
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value])
