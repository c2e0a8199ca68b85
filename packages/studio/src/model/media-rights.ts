// The rights of the user in the media library.

/** The rights to files and folders. */
export interface MediaRights {
  readonly find: boolean
  readonly findOne: boolean
  /** New files, and changes of stored ones. */
  readonly upload: boolean
  readonly destroy: boolean
  readonly findFolders: boolean
  readonly createFolders: boolean
  readonly updateFolders: boolean
  readonly deleteFolders: boolean
}

/** Reads the rights from the names of all actions that the user may do. */
export function mediaRightsOf(actions: ReadonlySet<string>): MediaRights {
  const may = (name: string) => actions.has(`plugin::upload.${name}`)
  const findFolders = may('folder.find')
  return {
    find: may('content-api.find'),
    findOne: may('content-api.findOne'),
    upload: may('content-api.upload'),
    destroy: may('content-api.destroy'),
    findFolders,
    createFolders: findFolders && may('folder.create'),
    updateFolders: findFolders && may('folder.update'),
    deleteFolders: findFolders && may('folder.delete'),
  }
}
