// Tells text from binary content, whatever its encoding. Knows no types.

import { isUtf8 } from 'node:buffer'

/** The beginning of a text. */
export interface Text {
  /** Only its ASCII characters are sure: of 8-bit encodings, such as Windows-1252 and Shift-JIS, the name is not known. */
  readonly text: string
  readonly isUtf8: boolean
  /** True if it has no control characters but those of the layout. */
  readonly isClean: boolean
}

/** Control characters of devices. Tabs, ends of lines and pages, and the escape of ISO-2022-JP are not among them. */
const control = /[\x00-\x08\x0e-\x1a\x1c-\x1f]/

/**
 * The beginning of a file as text; null if it has NUL characters, which no text has. `isCut`: whether more follows, so that
 * the last character may be a part of one.
 */
export function textOf(head: Buffer, isCut: boolean): Text | null {
  const wide = utf16Of(head)
  const narrow = wide ?? head.toString('latin1')
  if (narrow.includes('\0')) return null
  const isClean = !control.test(narrow)
  if (wide !== null) return { text: wide, isUtf8: false, isClean }
  for (let cut = 0; cut < (isCut ? 4 : 1); cut++) {
    const part = head.subarray(0, head.length - cut)
    if (isUtf8(part)) return { text: part.toString(), isUtf8: true, isClean }
  }
  return { text: narrow, isUtf8: false, isClean }
}

/** The text if it is UTF-16: by its byte order mark, or because every other byte of most letters is zero. */
function utf16Of(head: Buffer): string | null {
  const even = head.subarray(0, head.length & ~1)
  const order = orderOf(even)
  if (order === null) return null
  return (order === 'little' ? even : Buffer.from(even).swap16()).toString('utf16le')
}

function orderOf(bytes: Buffer): 'little' | 'big' | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'little'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'big'
  const zeros = [0, 0]
  for (const [at, byte] of bytes.entries()) if (byte === 0) zeros[at % 2]! += 1
  const most = bytes.length / 4
  if (zeros[0] === 0 && zeros[1]! > most) return 'little'
  return zeros[1] === 0 && zeros[0]! > most ? 'big' : null
}
