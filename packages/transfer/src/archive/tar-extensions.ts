// Reads the headers that say more about the file that follows: those of pax, and long names of GNU tar. Knows nothing else of tar.

/** Facts about the next file that its own header does not have. */
export interface Extension {
  readonly path?: string
  readonly size?: number
}

type ReadExtension = (content: Buffer) => Extension

/** Returns the function that reads the content of a header of this type; null for the header of a file itself. */
export function extensionOf(type: string): ReadExtension | null {
  return readers[type] ?? null
}

const longName: ReadExtension = content => ({ path: textOf(content) })
const nothing: ReadExtension = () => ({})

const readers: Readonly<Record<string, ReadExtension>> = {
  ExtendedHeader: content => ofRecords(content),
  OldExtendedHeader: content => ofRecords(content),
  GlobalExtendedHeader(content) {
    if (Object.keys(ofRecords(content)).length > 0) throw new Error('it gives all files one name or one size')
    return {}
  },
  NextFileHasLongPath: longName,
  OldGnuLongPath: longName,
  // Names of what a link leads to: links are refused by their own headers.
  NextFileHasLongLinkpath: nothing,
}

/** A text that may end with a zero byte. */
function textOf(content: Buffer): string {
  const end = content.indexOf(0)
  return content.toString('utf8', 0, end === -1 ? content.length : end)
}

/** The records of pax, `<length> <key>=<value>\n` each. Throws Error with a sentence if they are not. */
function ofRecords(content: Buffer): Extension {
  const extension: { path?: string; size?: number } = {}
  for (let at = 0; at < content.length; ) {
    const space = content.indexOf(' ', at)
    const length = space === -1 || space - at > 10 ? Number.NaN : Number(content.toString('latin1', at, space))
    const end = at + length
    const isRecord = Number.isInteger(length) && end > space + 1 && end <= content.length && content[end - 1] === 0x0a
    const equals = isRecord ? content.indexOf('=', space) : -1
    if (equals === -1 || equals >= end) throw new Error('what describes the next file is damaged')
    const key = content.toString('utf8', space + 1, equals)
    const value = content.toString('utf8', equals + 1, end - 1)
    if (key.startsWith('GNU.sparse.'))
      throw new Error('the next file is a sparse file: an archive has whole files only')
    if (key === 'path') extension.path = value
    if (key === 'size') extension.size = sizeOf(value)
    at = end
  }
  return extension
}

function sizeOf(value: string): number {
  const size = /^\d{1,16}$/.test(value) ? Number(value) : Number.NaN
  if (!Number.isSafeInteger(size)) throw new Error('the size of the next file is not a number')
  return size
}
