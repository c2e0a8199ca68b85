// The folders of the media library as a tree.

/** A folder of the media library. */
export interface MediaFolder {
  readonly id: number
  readonly name: string
  /** The id of the folder that it is in; null for the root. */
  readonly parentId: number | null
  readonly folderCount: number
  /** Null for users who may not find files. */
  readonly fileCount: number | null
}

/** Returns whether nothing is in the folder. For users who may not find files, it is not known. */
export const isEmptyFolder = ({ folderCount, fileCount }: MediaFolder): boolean => folderCount === 0 && fileCount === 0

/** The folders that are directly in a folder, by name. */
export const foldersIn = (folders: readonly MediaFolder[], parentId: number | null): readonly MediaFolder[] =>
  folders
    .filter(folder => folder.parentId === parentId)
    .toSorted((left, right) => left.name.localeCompare(right.name, undefined, { numeric: true }))

/** The folders from the root to this one, which is the last; empty for the root, and for one that does not exist. */
export function pathTo(folders: readonly MediaFolder[], id: number | null): readonly MediaFolder[] {
  const byId = new Map(folders.map(folder => [folder.id, folder]))
  const path: MediaFolder[] = []
  for (let one = byId.get(id ?? 0); one !== undefined && !path.includes(one); one = byId.get(one.parentId ?? 0))
    path.unshift(one)
  return path
}

/** A folder to which something can be moved, with its whole path: "Pictures / Summer". */
export interface Destination {
  readonly id: number
  readonly path: string
}

/** The folders in the order of the tree, without those of `moved` and what is below them. */
export function destinationsOf(folders: readonly MediaFolder[], moved: readonly number[] = []): readonly Destination[] {
  const below = (parentId: number | null, prefix: string): readonly Destination[] =>
    foldersIn(folders, parentId)
      .filter(({ id }) => !moved.includes(id))
      .flatMap(({ id, name }) => [{ id, path: `${prefix}${name}` }, ...below(id, `${prefix}${name} / `)])
  return below(null, '')
}
