// Reads a whole archive before an import writes anything: whether it is complete, and what in it does not fit the model.

import type { Kernel } from '@plinth/kernel'
import { type TransferTable, TransferWriter, transferTables } from '@plinth/kernel/transfer'
import { Failure } from '../failure.ts'
import type { FileStore } from './file-store.ts'
import type { RowItem, SetItem } from './items.ts'
import { isObject } from './json.ts'
import { format, names, version } from './own-format.ts'
import { type Walk, walk } from './walk.ts'

/** What an archive has. */
export interface Survey {
  /** Numbers of entries and components by uid, without those that do not fit. */
  readonly entries: ReadonlyMap<string, number>
  readonly files: number
  /** Types, components and attributes that the model does not have. */
  readonly unknown: ReadonlySet<string>
  /** Numbers of entries by uid that the archive hides, and that the model would show. */
  readonly hidden: ReadonlyMap<string, number>
  /** Values and names that cannot be stored; at most so many that they can be listed. */
  readonly faults: readonly string[]
  /** Settings of v4's administrators, which are not imported. */
  readonly settings: number
}

const mostFaults = 20

/** The attribute that hides an entry, if it is null: that of drafts, also where no plugin knows drafts. */
const ofDrafts = 'publishedAt'

/** The tables of a model by their names, and what a row has that they lack. */
export class TableSet {
  readonly #kernel: Kernel
  readonly all: readonly TransferTable[]
  readonly #byName: ReadonlyMap<string, TransferTable>
  readonly #columns = new Map<TransferTable, ReadonlySet<string>>()

  constructor(kernel: Kernel) {
    this.#kernel = kernel
    this.all = transferTables(kernel.contentTypes)
    this.#byName = new Map(this.all.map(table => [table.name, table]))
    for (const table of this.all) this.#columns.set(table, new Set(table.columns.map(one => one.name)))
  }

  get(name: string): TransferTable | undefined {
    return this.#byName.get(name)
  }

  /** The names in an item that the model does not have; those without a value are not counted. */
  unknownIn({ table: name, row }: RowItem | SetItem): string[] {
    const table = this.#byName.get(name)
    if (table === undefined) return [name]
    const columns = this.#columns.get(table)!
    const lacking = Object.keys(row).filter(key => !columns.has(key) && !isNothing(row[key]))
    return [...lacking.map(key => `${name}.${key}`), ...this.#unknownTarget(table, row)]
  }

  /** Whether the row is of an entry that is hidden where it comes from, by an attribute that its type does not have here. */
  isShownHere({ table: name, row }: RowItem | SetItem): boolean {
    const table = this.#byName.get(name)
    if (table === undefined || !table.hasIds) return false
    const { attributes, retired } = table.type
    return [ofDrafts, ...retired.map(one => one.attribute.name)].some(one => !attributes.has(one) && row[one] === null)
  }

  /** Whether the row can be stored, perhaps without some attributes. */
  takes({ table: name, row }: RowItem | SetItem): boolean {
    const table = this.#byName.get(name)
    return table !== undefined && this.#unknownTarget(table, row).length === 0
  }

  /** The type to which a polymorphic link or a place of a component leads. */
  #unknownTarget({ uidColumn }: TransferTable, row: RowItem['row']): string[] {
    const uid = uidColumn === null ? null : row[uidColumn]
    return isNothing(uid) || this.#kernel.contentTypes.get(String(uid)) !== undefined ? [] : [String(uid)]
  }
}

const isNothing = (value: unknown) =>
  value === null || value === undefined || (Array.isArray(value) && value.length === 0)

/** Surveys an archive. Throws Failure if it is damaged, not complete, or of a version that cannot be read. */
export async function survey(reading: Walk, kernel: Kernel, store: FileStore | null): Promise<Survey> {
  const tables = new TableSet(kernel)
  const writer = new TransferWriter(kernel)
  const entries = new Map<string, number>()
  const hidden = new Map<string, number>()
  const unknown = new Set<string>()
  const faults: string[] = []
  const documents = new Map<string, unknown>()
  const counts = { lines: 0, files: 0, settings: 0 }
  await walk(
    reading,
    { file: 0, line: 0 },
    {
      async items(items, _, at) {
        counts.lines++
        for (const item of items) {
          for (const name of tables.unknownIn(item)) unknown.add(name)
          const table = tables.get(item.table)
          if (table === undefined || !tables.takes(item)) continue
          if (item.kind === 'row' && table.hasIds) entries.set(table.name, (entries.get(table.name) ?? 0) + 1)
          if (tables.isShownHere(item)) hidden.set(item.table, (hidden.get(item.table) ?? 0) + 1)
          if (faults.length >= mostFaults) continue
          const id = item.kind === 'row' ? item.row.id : item.id
          for (const fault of writer.faults(table, item.row))
            faults.push(`${at}: ${table.name}${id === undefined ? '' : ` ${id}`}: ${fault}`)
        }
      },
      async asset(key) {
        counts.files++
        if (store !== null && !store.accepts(key) && faults.length < mostFaults)
          faults.push(`the file name ${JSON.stringify(key)}`)
      },
      document: (name, value) => void documents.set(name, value),
      setting: () => void counts.settings++,
    },
  )
  checkDocuments(reading.archive.path, documents, counts)
  return { entries, files: counts.files, unknown, hidden, faults, settings: counts.settings }
}

function checkDocuments(
  path: string,
  documents: ReadonlyMap<string, unknown>,
  { lines, files }: { readonly lines: number; readonly files: number },
): void {
  const metadata = documents.get(names.metadata)
  // v4 writes it last.
  if (!isObject(metadata))
    throw new Failure(`${path} has no ${names.metadata}: the export did not end, or it is no export`)
  if (metadata.format === format) {
    if (metadata.version !== version)
      throw new Failure(
        `${path} has version ${metadata.version} of the format, and this plinth reads version ${version}`,
      )
    const end = documents.get(names.end)
    if (!isObject(end) || end.lines !== lines || end.files !== files)
      throw new Failure(`${path} is not complete: the export did not end`)
    return
  }
  const strapi = isObject(metadata.strapi) ? String(metadata.strapi.version) : null
  if (strapi === null) throw new Failure(`${path} was made neither by \`plinth export\` nor by \`strapi export\``)
  if (!strapi.startsWith('4.'))
    throw new Failure(`${path} was made by Strapi ${strapi}: only those of version 4 can be read`)
}
