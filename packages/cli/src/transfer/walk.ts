// Goes through the files of an archive of either format, and calls a visitor for its lines and stored files.

import { posix } from 'node:path'
import type { Registry } from '@plinth/kernel'
import { Failure } from '../failure.ts'
import type { Archive, ArchiveFile } from './archive-reader.ts'
import type { Item } from './items.ts'
import { type Line, linesOf } from './lines.ts'
import { itemsOf } from './own-format.ts'
import { entityItems, linkItems } from './v4-format.ts'

/** A place in an archive: so many files are done, and so many lines of the next one. */
export interface Place {
  readonly file: number
  readonly line: number
}

/** What is done with the parts of an archive; `next` is the place behind a part. */
export interface Visitor {
  /** The items of a line; `at` names the line in messages. */
  items(items: readonly Item[], next: Place, at: string): Promise<void>
  /** A stored file; its content may be left unread. */
  asset(key: string, file: ArchiveFile, next: Place): Promise<void>
  /** A file with one JSON value, such as metadata.json. */
  document?(name: string, value: unknown): void
  /** A line with settings of v4. */
  setting?(line: Line): void
}

/** What the archive is read with. */
export interface Walk {
  readonly archive: Archive
  readonly model: Registry
  readonly onBytes?: (read: number) => void
}

/** Visits everything from a place on. Throws Failure if the archive is damaged. */
export async function walk({ archive, model, onBytes }: Walk, from: Place, visitor: Visitor): Promise<void> {
  let number = 0
  for await (const file of archive.files(onBytes)) {
    const place = { file: number++, line: 0 }
    if (place.file < from.file) continue
    await visit(file, place.file === from.file ? from : place, { model, visitor })
  }
}

async function visit(
  file: ArchiveFile,
  from: Place,
  { model, visitor }: { readonly model: Registry; readonly visitor: Visitor },
): Promise<void> {
  const [folder, second] = file.path.split('/')
  const parse = parsers[folder!]
  if (parse !== undefined) {
    for await (const line of linesOf(file.content, file.path, from.line)) {
      const items = parse(line, model)
      const at = `${file.path}, line ${line.number + 1}`
      if (items === null) throw new Failure(`${at} has an unknown form`)
      await visitor.items(items, { file: from.file, line: line.number + 1 }, at)
    }
  } else if (folder === 'assets' && second === 'uploads') {
    await visitor.asset(posix.basename(file.path), file, { file: from.file + 1, line: 0 })
  } else if (folder === 'configuration' && visitor.setting !== undefined) {
    for await (const line of linesOf(file.content, file.path, 0)) visitor.setting(line)
  } else if (second === undefined && file.path.endsWith('.json') && visitor.document !== undefined) {
    for await (const { value } of documentOf(file)) visitor.document(file.path, value)
  }
}

const parsers: Readonly<Record<string, (line: Line, model: Registry) => Item[] | null>> = {
  rows: line => itemsOf(line),
  entities: entityItems,
  links: linkItems,
}

/** The value of a JSON file, which may have several lines. */
async function* documentOf(file: ArchiveFile): AsyncGenerator<Line> {
  const chunks: Buffer[] = []
  for await (const chunk of file.content) chunks.push(chunk)
  const whole = Buffer.concat(chunks).toString().replaceAll('\n', ' ')
  yield* linesOf([Buffer.from(whole)] as unknown as AsyncIterable<Buffer>, file.path, 0)
}
