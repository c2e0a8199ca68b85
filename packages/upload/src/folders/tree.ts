// The tree of folders in the tables of v4: the number of a folder (`pathId`), and the paths of folders and of their files
// (`/1/4`), which follow from the parents. Works in the transaction of a write, and knows neither callers nor routes.

import type { Kernel, Transaction } from '@plinth/kernel'
import { fileUid, folderUid } from '../types.ts'

/** A folder as the tree has it. */
export interface TreeFolder {
  readonly id: number
  readonly name: string
  readonly path: string
}

/** v4's path of the root, which is not a folder. */
export const rootPath = '/'

/** The path of a folder below the path of its parent. */
export const pathBelow = (parent: string, pathId: number): string =>
  parent === rootPath ? `/${pathId}` : `${parent}/${pathId}`

/** Returns whether a path is that of a folder, or of one below it. */
export const isWithin = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`)

/** The tree of folders of a kernel. */
export class FolderTree {
  readonly #kernel: Kernel

  constructor(kernel: Kernel) {
    this.#kernel = kernel
  }

  /**
   * Keeps other changes of the tree away until the end of the transaction. Before any row is locked, so that two changes
   * do not wait for each other.
   */
  async lock(tx: Transaction): Promise<void> {
    await tx.lockNames(['upload folders'])
  }

  /** Runs a change in a transaction that has locked the tree. */
  change<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.#kernel.transaction(async tx => {
      await this.lock(tx)
      return work(tx)
    })
  }

  /** A folder, and null if there is none. */
  async find(tx: Transaction, id: number): Promise<TreeFolder | null> {
    const { folders } = this.#tables()
    const row = await tx.knex(folders.table).where({ id }).first('id', 'name', folders.path)
    return row === undefined ? null : { id, name: String(row.name), path: String(row[folders.path]) }
  }

  /** The folder that a folder, or a file, is linked to; null in the root. */
  async parentOf(uid: typeof folderUid | typeof fileUid, id: number): Promise<TreeFolder | null> {
    const name = uid === fileUid ? 'folder' : 'parent'
    const populate = { [name]: { fields: ['name', 'path'] } } as never
    const entry = await this.#kernel.query(uid).findOne(id, { fields: ['id'], populate })
    return (entry?.[name] ?? null) as TreeFolder | null
  }

  /** Returns whether another folder beside one has its name. */
  async hasTwin(folder: TreeFolder, parent: TreeFolder | null): Promise<boolean> {
    const filters = {
      name: { $eq: folder.name },
      id: { $ne: folder.id },
      parent: parent?.id ?? { id: { $null: true } },
    }
    return (await this.#kernel.query(folderUid).count({ filters } as never)) > 0
  }

  /** Gives a new folder the next number, and the path that follows. */
  async place(tx: Transaction, id: number, parent: TreeFolder | null): Promise<void> {
    const { folders } = this.#tables()
    const [row] = await tx.knex(folders.table).max({ last: folders.pathId })
    const pathId = Math.max(0, Number(row?.last ?? 0)) + 1
    const path = pathBelow(parent?.path ?? rootPath, pathId)
    await tx
      .knex(folders.table)
      .where({ id })
      .update({ [folders.pathId]: pathId, [folders.path]: path })
  }

  /** Gives a folder, and everything below it, the paths that follow from a parent. */
  async move(tx: Transaction, folder: TreeFolder, parent: TreeFolder | null): Promise<void> {
    const from = folder.path
    const to = pathBelow(parent?.path ?? rootPath, Number(from.slice(from.lastIndexOf('/') + 1)))
    if (from === to) return
    const { folders, files } = this.#tables()
    for (const { table, path } of [folders, files])
      for (const old of await pathsWithin(tx, { table, path, folder: from }))
        await tx
          .knex(table)
          .where({ [path]: old })
          .update({ [path]: to + old.slice(from.length) })
  }

  /** Gives a file the path of its folder. */
  async placeFile(tx: Transaction, id: number, folder: TreeFolder | null): Promise<void> {
    const { files } = this.#tables()
    await tx
      .knex(files.table)
      .where({ id })
      .update({ [files.path]: folder?.path ?? rootPath })
  }

  /** The ids of the files in a folder, and of the folders and files below it; the lowest folders first. */
  async below(tx: Transaction, folder: string): Promise<{ folders: number[]; files: number[] }> {
    const { folders, files } = this.#tables()
    const within = async ({ table, path }: { readonly table: string; readonly path: string }) => {
      const rows = await tx.knex(table).where(path, folder).orWhere(path, 'like', `${folder}/%`).select('id', path)
      return rows.map(row => ({ id: Number(row.id), path: String(row[path]) }))
    }
    const inner = (await within(folders)).filter(one => one.path !== folder)
    inner.sort((one, other) => other.path.split('/').length - one.path.split('/').length)
    return { folders: inner.map(one => one.id), files: (await within(files)).map(one => one.id) }
  }

  /** The tables, and the names of their columns. */
  #tables() {
    const { contentTypes } = this.#kernel
    const [folders, files] = [contentTypes.require(folderUid), contentTypes.require(fileUid)]
    const column = (type: typeof folders, name: string) =>
      (type.attributes.get(name) as { readonly column: string }).column
    return {
      folders: { table: folders.table, path: column(folders, 'path'), pathId: column(folders, 'pathId') },
      files: { table: files.table, path: column(files, 'folderPath') },
    }
  }
}

/** The different paths in a column that are those of a folder or below it. */
async function pathsWithin(
  tx: Transaction,
  { table, path, folder }: { readonly table: string; readonly path: string; readonly folder: string },
): Promise<string[]> {
  const rows = await tx.knex(table).where(path, folder).orWhere(path, 'like', `${folder}/%`).distinct(path)
  return rows.map(row => String(row[path]))
}
