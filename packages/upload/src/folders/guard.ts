// Keeps the tree of folders whole, whichever transport changes it: names are unique in a folder, paths follow from parents,
// a folder is not moved below itself, and none is deleted with what is in it unless that was asked for. The messages are
// those of v4.

import {
  ApplicationError,
  type Context,
  ForbiddenError,
  type Kernel,
  systemAccess,
  ValidationError,
  type Write,
} from '@plinth/kernel'
import { fileUid, folderUid } from '../types.ts'
import { type FolderTree, isWithin, pathBelow, rootPath, type TreeFolder } from './tree.ts'

/** The key of the context value that decides whether the content of a deleted folder is deleted. */
const contentKey = 'upload:content'
/** The value of a context in whose transaction the tree is locked. */
const lockedKey = 'upload:locked'

/** The attributes that follow from the tree, and those that are changed from their other side. */
const derived = ['pathId', 'path'] as const
const others = ['children', 'files'] as const

/** The context of a write in a transaction that has locked the tree. */
export function lockedContext(context: Context): Context {
  return { ...context, state: { ...context.state, [lockedKey]: true } }
}

/** The context of a deletion that deletes what is in the folder as well. */
export function deletingContent(context: Context): Context {
  return { ...context, state: { ...context.state, [contentKey]: 'delete' } }
}

const isFolder = ({ uid }: { readonly uid: string }) => uid === folderUid
const isFile = ({ uid }: { readonly uid: string }) => uid === fileUid

/** Registers the hooks. */
export function guardFolders(kernel: Kernel, tree: FolderTree): void {
  const { hooks } = kernel
  const changes = ['create', 'update']
  hooks.on('prePlan', { for: isFolder, actions: changes }, draft => draft.declareClosed(...derived, ...others))
  hooks.on('preWrite', { for: isFolder, actions: changes }, prepareFolder)
  // Before hooks that read the entry after the write.
  const first = { order: 'pre' } as const
  hooks.on('onWrite', { for: isFolder, actions: ['create'], ...first }, write => placeFolder(tree, write))
  hooks.on('onWrite', { for: isFolder, actions: ['update'], ...first }, write => moveFolder(tree, write))
  hooks.on('onWrite', { for: isFolder, actions: ['delete'], ...first }, write => emptyFolder(kernel, tree, write))
  hooks.on('preWrite', { for: isFile, actions: changes }, prepareFile)
  hooks.on('onWrite', { for: isFile, actions: changes, ...first }, write => placeFile(tree, write))
}

const isOfSystem = ({ context }: Write) => context.access === systemAccess

/** Checks the names that were sent, and keeps callers from what follows from the tree. */
function prepareFolder(write: Write): void {
  const { data, sent, action } = write
  if (!isOfSystem(write)) {
    for (const name of derived) delete data[name]
    for (const name of others)
      if (sent.has(name)) throw new ValidationError(`${name} of a folder cannot be sent`, { path: name })
  }
  if (typeof data.name === 'string') checkName(data.name)
  if (action !== 'create' || data.pathId !== undefined) return
  // `placeFolder` gives the number, under the lock; until then, one that no other new folder has.
  const pathId = -1 - Math.floor(Math.random() * 2 ** 31)
  data.pathId = pathId
  data.path = pathBelow(rootPath, pathId)
  write.state['upload:isNew'] = true
}

function checkName(name: string): void {
  if (name.includes('/')) throw nameFault('name cannot contain slashes')
  if (name !== name.trim()) throw nameFault('name cannot start or end with a whitespace')
}

const nameFault = (message: string) => ValidationError.ofFields([{ path: ['name'], message, name: 'ValidationError' }])

async function lockTree(tree: FolderTree, { context, tx }: Write): Promise<void> {
  if (context.state[lockedKey] !== true) await tree.lock(tx!)
}

async function placeFolder(tree: FolderTree, write: Write): Promise<void> {
  await lockTree(tree, write)
  const id = write.id!
  const parent = await tree.parentOf(folderUid, id)
  const folder = await tree.find(write.tx!, id)
  await refuseTwin(tree, folder!, parent)
  if (write.state['upload:isNew'] === true) await tree.place(write.tx!, id, parent)
}

async function moveFolder(tree: FolderTree, write: Write): Promise<void> {
  const { data } = write
  if (data.name === undefined && data.parent === undefined) return
  await lockTree(tree, write)
  const folder = (await tree.find(write.tx!, write.id!))!
  const parent = await tree.parentOf(folderUid, folder.id)
  if (parent !== null && isWithin(parent.path, folder.path)) {
    const message = 'folder cannot be moved inside itself'
    throw ValidationError.ofFields([{ path: ['parent'], message, name: 'ValidationError' }])
  }
  await refuseTwin(tree, folder, parent)
  if (data.parent !== undefined) await tree.move(write.tx!, folder, parent)
}

async function refuseTwin(tree: FolderTree, folder: TreeFolder, parent: TreeFolder | null): Promise<void> {
  if (await tree.hasTwin(folder, parent)) throw nameFault('A folder with this name already exists')
}

/** Deletes what is in a folder if that was asked for; throws ApplicationError if it was not, and there is something. */
async function emptyFolder(kernel: Kernel, tree: FolderTree, write: Write): Promise<void> {
  const { context, tx } = write
  const before = await write.before()
  if (before === null) return
  await lockTree(tree, write)
  const { folders, files } = await tree.below(tx!, String(before.path))
  if (folders.length === 0 && files.length === 0) return
  if (context.state[contentKey] !== 'delete')
    throw new ApplicationError('The folder is not empty', { folders: folders.length, files: files.length })
  const own = lockedContext(context)
  if (files.length > 0) kernel.authorize(kernel.actions.of(fileUid, 'delete'), context)
  // The lowest folders come first, so that each is empty.
  for (const [uid, ids] of [
    [fileUid, files],
    [folderUid, folders],
  ] as const)
    for (const id of ids)
      if ((await kernel.query(uid, own).delete(id)) === null)
        throw new ForbiddenError().withReason(
          `a rule keeps the caller from deleting ${uid} ${id}, which is in the folder`,
        )
}

/** The path of a file follows from its folder. */
function prepareFile(write: Write): void {
  if (!isOfSystem(write) && write.action === 'update') delete write.data.folderPath
}

async function placeFile(tree: FolderTree, write: Write): Promise<void> {
  if (write.data.folder === undefined) return
  await lockTree(tree, write)
  await tree.placeFile(write.tx!, write.id!, await tree.parentOf(fileUid, write.id!))
}
