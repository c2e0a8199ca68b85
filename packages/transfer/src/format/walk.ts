// Goes through the files of an archive of either format, and calls a visitor for its lines and stored files.

import type { Registry } from '@plinth/kernel'
import type { Archive, ArchiveEnds, ArchiveFile } from '../archive/archive-reader.ts'
import { shownName } from '../archive/shown-name.ts'
import { TransferError } from '../transfer-error.ts'
import { ReadSums } from './checksums.ts'
import type { Item } from './items.ts'
import { type Line, linesOf } from './lines.ts'
import { itemsOf } from './own-format.ts'
import { entityItems, linkItems } from './v4-format.ts'

/** A place in an archive: the number of finished files, and of finished lines of the next one. */
export interface Place {
  readonly file: number
  readonly line: number
}

/** Receives the parts of an archive; `next` is the place behind a part. */
export interface Visitor {
  /** The items of a line; `at` names the line in messages. */
  items(items: readonly Item[], next: Place, at: string): Promise<void>
  /** A stored file; its content may be left unread. */
  asset(key: string, file: ArchiveFile, next: Place): Promise<void>
  /** A file with one JSON value, such as metadata.json. */
  document?(name: string, value: unknown): void
  /** A line with settings of v4. */
  setting?(line: Line): void
  /** A sentence that says what is wrong with a line or a file; without this function, it is thrown. */
  fault?(text: string): void
}

/** An archive, and the model by which it is read. */
export interface Walk {
  readonly archive: Archive
  readonly model: Registry
  readonly onBytes?: (read: number) => void
}

/** Visits everything from a place on. Returns how the archive ended. Throws TransferError if it is damaged. */
export async function walk({ archive, model, onBytes }: Walk, from: Place, visitor: Visitor): Promise<ArchiveEnds> {
  const sums = new ReadSums()
  let ends: ArchiveEnds | null = null
  let number = 0
  for await (const file of archive.files({ ...(onBytes && { onBytes }), onEnd: all => (ends = all) })) {
    const place = { file: number++, line: 0 }
    if (file.path.startsWith('checksums/')) for (const one of await sums.faultsOf(file)) report(visitor, one)
    else {
      if (place.file >= from.file) await visit(file, place.file === from.file ? from : place, { model, visitor })
      await sums.note(file)
    }
  }
  return ends!
}

function report({ fault }: Visitor, text: string): void {
  if (fault === undefined) throw new TransferError(text)
  fault(text)
}

interface Context {
  readonly model: Registry
  readonly visitor: Visitor
}

async function visit(file: ArchiveFile, from: Place, { model, visitor }: Context): Promise<void> {
  const [folder, second, ...more] = file.path.split('/')
  const parse = parsers.get(folder!)
  if (parse !== undefined) {
    for await (const line of linesOf(file.content, shownName(file.path), from.line)) {
      const at = `${shownName(file.path)}, line ${line.number + 1}`
      const items = line.value === null ? null : parse(line, model)
      if (items === null) report(visitor, line.fault ?? `${at} has an unknown form`)
      else await visitor.items(items, { file: from.file, line: line.number + 1 }, at)
    }
  } else if (folder === 'assets' && second === 'uploads') {
    await visitor.asset(more.join('/'), file, { file: from.file + 1, line: 0 })
  } else if (folder === 'configuration' && visitor.setting !== undefined) {
    for await (const line of linesOf(file.content, shownName(file.path), 0))
      if (line.value === null) report(visitor, line.fault)
      else visitor.setting(line)
  } else if (second === undefined && file.path.endsWith('.json') && visitor.document !== undefined) {
    await visitDocument(file, visitor)
  }
}

type ParseLine = (line: Line, model: Registry) => Item[] | null

const parsers: ReadonlyMap<string, ParseLine> = new Map<string, ParseLine>([
  ['rows', line => itemsOf(line)],
  ['entities', entityItems],
  ['links', linkItems],
])

/** Maximum size of a JSON file, in bytes. */
const maxDocument = 1_000_000

/** Reads a JSON file, which may have several lines. */
async function visitDocument(file: ArchiveFile, visitor: Visitor): Promise<void> {
  const path = shownName(file.path)
  if (file.size > maxDocument) {
    report(visitor, `${path} has more than a megabyte, and is not what an export writes`)
    return
  }
  const chunks: Buffer[] = []
  for await (const chunk of file.content) chunks.push(chunk)
  const whole = Buffer.concat(chunks).toString('latin1').replaceAll('\n', ' ')
  const lines = (async function* () {
    yield Buffer.from(whole, 'latin1')
  })()
  for await (const line of linesOf(lines, path, 0))
    if (line.value === null) report(visitor, line.fault)
    else visitor.document!(file.path, line.value)
}
