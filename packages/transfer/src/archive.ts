// The public surface of `@plinth/transfer/archive`: reads and writes archives line by line, for tools that make or change
// them. Knows no database.

export { type Archive, type ArchiveEnds, type ArchiveFile, openArchive } from './archive/archive-reader.ts'
export { type AddedFile, ArchiveWriter, type WrittenDigests } from './archive/archive-writer.ts'
export { endText, WrittenSums } from './format/checksums.ts'
export type { Item, RowItem, SetItem } from './format/items.ts'
export { type Line, linesOf, type ReadLine } from './format/lines.ts'
export { type End, format, itemsOf, lineOf, type Metadata, names, version } from './format/own-format.ts'
