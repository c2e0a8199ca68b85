// Names of files: what a client may send as a name, which is only text, and the name under which the server stores it
// (B-11.11, security.md row 80).

import { randomBytes } from 'node:crypto'
import { basename } from 'node:path'
import { ApplicationError, ValidationError } from '@plinth/kernel'
import slugify from '@sindresorhus/slugify'

/** The longest name that a column of v4 holds. */
const longest = 255
/** The maximum number of characters of a name that become a part of the stored name. File systems allow 255 bytes with all that is added. */
const longestSlug = 100

/** Checks the name of a file as it was sent. Throws ApplicationError in v4's words. */
export function checkFilename(filename: string): void {
  if (/[<>:"/\\|?*\x00-\x1f\x7f]/.test(filename)) throw new ApplicationError('File name contains invalid characters')
  checkLength(filename, 'name')
}

/** Checks a text that describes a file. Throws ValidationError. */
export function checkLength(text: string, path: string): void {
  if (text.length > longest) throw new ValidationError(`${path} must be at most ${longest} characters`, { path })
  if (text.includes('\0')) throw new ValidationError(`${path} must not contain a NUL character`, { path })
}

/** A name that no other file has: what remains of the shown name, and ten random digits. */
export function makeHash(name: string, ext: string): string {
  const base = slugify(basename(name, ext).slice(0, longestSlug), { separator: '_', lowercase: false })
  return `${base.slice(0, longestSlug)}_${randomBytes(5).toString('hex')}`
}

/** v4's unit of sizes: kilobytes with two decimals (B-3.40). */
export function kilobytes(bytes: number): number {
  return Math.round((bytes / 1000) * 100) / 100
}

/** A size for people, such as `1 MB`. */
export function readableSize(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB']
  let size = bytes
  let at = 0
  while (size >= 1000 && at < units.length - 1) {
    size /= 1000
    at++
  }
  return `${Number(size.toFixed(1))} ${units[at]}`
}
