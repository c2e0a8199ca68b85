// Refuses files of a type that a media attribute does not take (`allowedTypes`, security.md row 54), at every depth of
// an entry. v4 leaves that to its admin panel.

import {
  type ContentType,
  InvalidSchemaError,
  type Kernel,
  suggestion,
  type Transaction,
  type TypeDraft,
  ValidationError,
  type Write,
} from '@plinth/kernel'
import { mediaWordOf } from '../content-type.ts'
import { fileUid } from '../types.ts'

const words = ['images', 'videos', 'audios', 'files']

/**
 * Throws InvalidSchemaError for `allowedTypes` that are not a list, which would allow everything, and warns of unknown words,
 * for which the attribute accepts no file.
 */
export function checkAllowedTypes(draft: TypeDraft, warn: (message: string) => void): void {
  for (const [name, { type, allowedTypes }] of draft.attributes) {
    if (type !== 'media' || allowedTypes === undefined || allowedTypes === null) continue
    const path = `attributes.${name}.allowedTypes`
    if (!Array.isArray(allowedTypes))
      throw new InvalidSchemaError(draft.source, path, `must be a list of ${words.join(', ')}`)
    for (const word of allowedTypes.map(String))
      if (!words.includes(word))
        warn(`${draft.source}: ${path}: "${word}" is not one of ${words.join(', ')}${suggestion(word, words)}`)
  }
}

/** The words of an attribute; null if it takes all files. */
function wordsOf(definition: Readonly<Record<string, unknown>>): readonly string[] | null {
  const { allowedTypes } = definition
  if (!Array.isArray(allowedTypes) || allowedTypes.length === 0) return null
  return words.every(word => allowedTypes.includes(word)) ? null : allowedTypes
}

/** A file that data link, and what its attribute takes. */
interface Link {
  readonly id: number
  readonly path: string[]
  readonly words: readonly string[]
}

/** Registers the check for the types in which something is not allowed. */
export function guardTypes(kernel: Kernel): void {
  kernel.hooks.on(
    'preWrite',
    { for: type => isLimited(kernel, type), actions: ['create', 'update'], order: 'post' },
    write => {
      const links = linksOf(write)
      // The files are locked then: no replacement changes their types before the COMMIT, or has looked for links before it.
      if (links.length > 0) write.check(() => checkLinks(kernel, links))
    },
  )
}

/** Returns whether an attribute of the type, or of its components, does not take all files. */
function isLimited(kernel: Kernel, type: ContentType, above: readonly string[] = []): boolean {
  if (above.includes(type.uid)) return false
  const below = (uid: string) => isLimited(kernel, kernel.contentTypes.require(uid), [...above, type.uid])
  return [...type.attributes.values()].some(one => {
    if (one.kind === 'zone') return one.components.some(below)
    if (one.kind === 'component') return below(one.component)
    return one.type === 'media' && one.kind === 'relation' && wordsOf(one.definition) !== null
  })
}

/** Returns the files that the data of a write link by attributes that do not take all files. */
function linksOf(write: Write): Link[] {
  const links: Link[] = []
  write.visit(({ attribute, path, value }) => {
    if (attribute.type !== 'media' || attribute.kind !== 'relation') return
    const words = wordsOf(attribute.definition)
    if (words !== null) for (const id of idsIn(value)) links.push({ id, path: path.map(String), words })
  })
  return links
}

/** Throws ValidationError if one of the files is of a type that its attribute does not take. */
async function checkLinks(kernel: Kernel, links: readonly Link[]): Promise<void> {
  const ids = [...new Set(links.map(one => one.id))]
  const files = await kernel.query(fileUid).findMany({ filters: { id: { $in: ids } }, fields: ['mime'] })
  const mimes = new Map(files.map(one => [one.id, String(one.mime)]))
  const errors = links.flatMap(({ id, path, words }) => {
    const mime = mimes.get(id)
    if (mime === undefined || words.includes(mediaWordOf(mime))) return []
    const message = `${path.join('.')} takes only ${words.join(', ')}; the file ${id} is of the type ${mime}`
    return [{ path, message, name: 'ValidationError' as const }]
  })
  if (errors.length > 0) throw ValidationError.ofFields(errors)
}

/** The entries that link a file by one attribute. */
interface Linked {
  readonly uid: string
  readonly field: string
  readonly ids: readonly number[]
}

/**
 * Checks that the attributes which link a file take files of the type `mime`, before such content replaces that of the
 * file. Throws ValidationError.
 */
export async function checkLinked(kernel: Kernel, fileId: number, mime: string, tx?: Transaction): Promise<void> {
  const word = mediaWordOf(mime)
  const errors: { path: string[]; message: string; name: 'ValidationError' }[] = []
  for (const { uid, field, ids } of await findLinks(kernel, fileId, tx)) {
    const type = kernel.contentTypes.get(uid)
    const attribute = type?.attributes.get(field)
    const words = attribute?.type === 'media' ? wordsOf(attribute.definition) : null
    if (type === undefined || words === null || words.includes(word)) continue
    // Links of entries that are gone may be left in tables of v4.
    const knex = tx?.knex ?? kernel.knex
    if ((await knex(type.table).whereIn('id', ids).first('id')) === undefined) continue
    const message = `${field} of ${uid} takes only ${words.join(', ')}, and links the file; the new content is of the type ${mime}`
    errors.push({ path: ['files'], message, name: 'ValidationError' })
  }
  if (errors.length > 0) throw ValidationError.ofFields(errors)
}

/** Returns what links a file, by types and attributes, as the table of links has them. */
async function findLinks(kernel: Kernel, fileId: number, tx: Transaction | undefined): Promise<Linked[]> {
  const related = kernel.contentTypes.require(fileUid).attributes.get('related')
  if (related?.kind !== 'relation' || related.storage.kind !== 'morphs') return []
  const { table, owner, id, type } = related.storage
  const rows: Record<string, unknown>[] = await (tx?.knex ?? kernel.knex)(table)
    .where({ [owner]: fileId })
    .select({ id, type, field: 'field' })
  const groups = Map.groupBy(rows, row => JSON.stringify([row.type, row.field]))
  return [...groups.values()].map(all => {
    const [{ type, field }] = all as [Record<string, unknown>]
    return { uid: String(type), field: String(field), ids: all.map(one => Number(one.id)) }
  })
}

/** The ids that a value links, in each form that relations have. What it unlinks is not checked. */
function idsIn(value: unknown): number[] {
  if (Array.isArray(value)) return value.flatMap(idsIn)
  if (typeof value === 'number' && Number.isSafeInteger(value)) return [value]
  if (typeof value === 'string') return /^\d{1,15}$/.test(value) ? [Number(value)] : []
  if (value === null || typeof value !== 'object') return []
  const { id, set, connect } = value as Readonly<Record<string, unknown>>
  return [id, set, connect].flatMap(one => (one === undefined ? [] : idsIn(one)))
}
