// The routes of folders: those of v4's admin panel, below `/api/upload`, for callers who were authorized. What keeps the
// tree whole is in folders/guard.ts.

import { type Context, type Entry, type FindOptions, NotFoundError, parseId, ValidationError } from '@plinth/kernel'
import { deletingContent, lockedContext } from '../folders/guard.ts'
import { FolderTree } from '../folders/tree.ts'
import type { UploadTools } from '../tools.ts'
import { fileUid, folderUid } from '../types.ts'

type Params = Readonly<Record<string, unknown>>

interface Data<T> {
  readonly data: T
}

/** The links that v4 populates for a folder. */
const populate = { parent: { fields: ['name', 'path'] }, children: { count: true }, files: { count: true } }

/** Returns the parameters of a query for folders: those that were sent, and those that v4 populates. */
function queryOf(params: Params, names: readonly string[]): FindOptions {
  const sent = Object.fromEntries(names.filter(name => Object.hasOwn(params, name)).map(name => [name, params[name]]))
  return { populate, ...sent } as FindOptions
}

/** GET /upload/folders: no default limit, as of files. */
export async function findFolders({ kernel }: UploadTools, params: Params, context: Context): Promise<Data<Entry[]>> {
  const query = queryOf(params, ['filters', 'sort', 'fields', 'populate', '_q'])
  return { data: await kernel.query(folderUid, context).findMany(query) }
}

/** GET /upload/folders/:id */
export async function findFolder(tools: UploadTools, id: number | null, params: Params, context: Context) {
  const query = queryOf(params, ['fields', 'populate'])
  const data = await tools.kernel.query(folderUid, context).findOne(id ?? 0, query)
  if (data === null) throw missing()
  return { data }
}

/** POST /upload/folders */
export async function createFolder({ kernel }: UploadTools, body: unknown, context: Context): Promise<Data<Entry>> {
  const data = folderIn(body)
  const create = () => kernel.query(folderUid, lockedContext(context)).create({ data, ...queryOf({}, []) })
  return { data: await new FolderTree(kernel).change(create) }
}

/** PUT /upload/folders/:id: renames a folder, moves it, or both. */
export async function updateFolder(
  { kernel }: UploadTools,
  { id, body }: { readonly id: number | null; readonly body: unknown },
  context: Context,
): Promise<Data<Entry>> {
  const data = folderIn(body)
  const update = () => kernel.query(folderUid, lockedContext(context)).update(id ?? 0, { data, ...queryOf({}, []) })
  const changed = await new FolderTree(kernel).change(update)
  if (changed === null) throw missing()
  return { data: changed }
}

/** DELETE /upload/folders/:id; with `content=delete` also what is in the folder. */
export async function removeFolder(
  { kernel }: UploadTools,
  { id, params }: { readonly id: number | null; readonly params: Params },
  context: Context,
): Promise<Data<Entry>> {
  const { content } = params
  if (content !== undefined && content !== 'delete')
    throw new ValidationError('content must be "delete"', { path: 'content' })
  const own = lockedContext(content === undefined ? context : deletingContent(context))
  const removed = await new FolderTree(kernel).change(() => kernel.query(folderUid, own).delete(id ?? 0))
  if (removed === null) throw missing()
  return { data: removed }
}

/** The ids to move, and the destination. */
interface Move {
  readonly folderIds: readonly number[]
  readonly fileIds: readonly number[]
  /** Null is the root. */
  readonly destination: number | null
}

/** POST /upload/actions/bulk-move: moves folders and files into a folder, all of them or none. */
export async function moveAll(tools: UploadTools, body: unknown, context: Context) {
  const { kernel, files } = tools
  const { folderIds, fileIds, destination } = moveIn(body)
  const { actions } = kernel
  const may = (uid: string, ids: readonly number[]) =>
    ids.length === 0 || kernel.authorize(actions.of(uid, 'update'), context)
  may(folderUid, folderIds)
  may(fileUid, fileIds)
  const own = lockedContext(context)
  return new FolderTree(kernel).change(async () => {
    const data = { folders: [] as Entry[], files: [] as Entry[] }
    for (const id of folderIds) {
      const moved = await kernel.query(folderUid, own).update(id, { data: { parent: destination } })
      if (moved === null) throw missing()
      data.folders.push(moved)
    }
    for (const id of fileIds) data.files.push(await files.describe(id, { folder: destination }, own))
    return { data }
  })
}

const missing = () => new NotFoundError('folder not found')

/** The attributes that a body says of a folder. Throws ValidationError for others, as v4 does. */
function folderIn(body: unknown): Record<string, unknown> {
  const data = objectIn(body, ['name', 'parent'])
  const { parent } = data
  if (parent === undefined || parent === null) return data
  return { ...data, parent: idIn('parent', parent) }
}

function moveIn(body: unknown): Move {
  const {
    folderIds = [],
    fileIds = [],
    destinationFolderId,
  } = objectIn(body, ['folderIds', 'fileIds', 'destinationFolderId'])
  if (destinationFolderId === undefined) throw fault('destinationFolderId', 'must be the id of a folder, or null')
  return {
    folderIds: idsIn('folderIds', folderIds),
    fileIds: idsIn('fileIds', fileIds),
    destination: destinationFolderId === null ? null : idIn('destinationFolderId', destinationFolderId),
  }
}

function objectIn(body: unknown, names: readonly string[]): Record<string, unknown> {
  if (body === null || typeof body !== 'object' || Array.isArray(body))
    throw new ValidationError('The body must be an object')
  for (const name of Object.keys(body)) if (!names.includes(name)) throw fault(name, 'is not known')
  return { ...body }
}

function idsIn(name: string, value: unknown): number[] {
  if (!Array.isArray(value)) throw fault(name, 'must be a list of ids')
  return [...new Set(value.map(one => idIn(name, one)))]
}

function idIn(name: string, value: unknown): number {
  const id = typeof value === 'number' ? value : parseId(value)
  if (id === null || !Number.isSafeInteger(id) || id < 1) throw fault(name, 'must be an id')
  return id
}

const fault = (name: string, what: string) =>
  ValidationError.ofFields([{ path: [name], message: `${name} ${what}`, name: 'ValidationError' }])
