// Lists, reads and deletes the files of the media library. What is sent about files is in uploads.ts.

import type { MediaFolder } from '../model/folders.ts'
import { type FileKind, kindsFilter, type MediaFile } from '../model/media.ts'
import type { Parameter } from '../model/query-string.ts'
import { namingFields } from '../model/relations.ts'
import type { ContentType, Entry, Model } from '../model/types.ts'
import { askBody } from './http.ts'

/** A query of the list of files. */
export interface FileQuestion {
  /** The id of a folder; null for files in none, undefined for all files. */
  readonly folder: number | null | undefined
  readonly text: string
  readonly kinds: readonly FileKind[]
  /** `createdAt:desc` */
  readonly sort: string
  readonly start: number
  readonly limit: number
}

/** A part of the list. The API does not say how long the whole is. */
export interface FilePage {
  readonly files: readonly MediaFile[]
  readonly hasMore: boolean
}

export async function listFiles(question: FileQuestion, signal?: AbortSignal): Promise<FilePage> {
  const { folder, text, kinds, sort, start, limit } = question
  const parameters = {
    start,
    limit: limit + 1,
    sort,
    filters: kindsFilter(kinds),
    ...(text !== '' && { _q: text }),
    ...(folder !== undefined && { folder: folder ?? 'root' }),
  }
  const files = await askBody<readonly MediaFile[]>({ path: '/upload/files', parameters, ...(signal && { signal }) })
  return { files: files.slice(0, limit), hasMore: files.length > limit }
}

export const readFile = (id: number, signal?: AbortSignal): Promise<MediaFile> =>
  askBody<MediaFile>({ path: `/upload/files/${id}`, ...(signal && { signal }) })

export const deleteFile = async (id: number): Promise<void> => {
  await askBody({ method: 'DELETE', path: `/upload/files/${id}` })
}

/** An entry in which a file is used. */
export interface FileUse {
  readonly type: ContentType
  readonly entry: Entry
}

/** The entries and components that use a file, as far as the user may see them. */
export interface FileUses {
  readonly entries: readonly FileUse[]
  /** The number of components, whose entries the API does not name. */
  readonly componentCount: number
}

interface WireUse extends Entry {
  readonly __type: string
}

/** Finds where a file is used: by the relation of files to all that they are in. */
export async function readUses(id: number, model: Model, signal?: AbortSignal): Promise<FileUses> {
  const types = model.types.filter(type => type.attributes.some(one => one.type === 'media'))
  const components = [...model.components.values()].filter(one => one.attributes.some(({ type }) => type === 'media'))
  const on: Record<string, Parameter> = {}
  for (const type of types) {
    const drafts = type.hasDrafts && type.rights.seesDrafts ? { publicationState: 'preview' } : {}
    on[type.uid] = { fields: namingFields(type), ...drafts }
  }
  for (const { uid } of components) on[uid] = { fields: ['id'] }
  if (Object.keys(on).length === 0) return { entries: [], componentCount: 0 }
  const parameters = { populate: { related: { on } } }
  const path = `/upload/files/${id}`
  const { related } = await askBody<{ readonly related?: readonly WireUse[] | null }>({
    path,
    parameters,
    ...(signal && { signal }),
  })
  return usesOf(related ?? [], model)
}

/** A file may be in several attributes of one entry. */
function usesOf(related: readonly WireUse[], model: Model): FileUses {
  const uses = new Map<string, FileUse>()
  let componentCount = 0
  for (const { __type, ...entry } of related) {
    const type = model.typesByUid.get(__type)
    if (type === undefined) componentCount++
    else uses.set(`${__type} ${entry.id}`, { type, entry: entry as Entry })
  }
  return { entries: [...uses.values()], componentCount }
}

interface WireFolder {
  readonly id: number
  readonly name: string
  readonly parent?: { readonly id: number } | null
  readonly children?: { readonly count: number }
  readonly files?: { readonly count: number }
}

interface Data<Value> {
  readonly data: Value
}

const folderOf = ({ id, name, parent, children, files }: WireFolder): MediaFolder => ({
  id,
  name,
  parentId: parent?.id ?? null,
  folderCount: children?.count ?? 0,
  fileCount: files?.count ?? null,
})

/** All folders. */
export async function listFolders(signal?: AbortSignal): Promise<readonly MediaFolder[]> {
  const { data } = await askBody<Data<readonly WireFolder[]>>({ path: '/upload/folders', ...(signal && { signal }) })
  return data.map(folderOf)
}

export async function createFolder(name: string, parent: number | null): Promise<MediaFolder> {
  const body = { name, ...(parent !== null && { parent }) }
  return folderOf((await askBody<Data<WireFolder>>({ method: 'POST', path: '/upload/folders', body })).data)
}

export async function renameFolder(id: number, name: string): Promise<void> {
  await askBody({ method: 'PUT', path: `/upload/folders/${id}`, body: { name } })
}

/** Deletes a folder with everything in it. */
export async function deleteFolder(id: number): Promise<void> {
  await askBody({ method: 'DELETE', path: `/upload/folders/${id}`, parameters: { content: 'delete' } })
}

/** The folders and files to move. */
export interface Moved {
  readonly folderIds?: readonly number[]
  readonly fileIds?: readonly number[]
}

/** Moves files and folders, all of them or none. The destination null is the root. */
export async function moveMedia({ folderIds = [], fileIds = [] }: Moved, destination: number | null): Promise<void> {
  const body = { folderIds, fileIds, destinationFolderId: destination }
  await askBody({ method: 'POST', path: '/upload/actions/bulk-move', body })
}
