// The content types of files and their folders, in the tables and with the attributes of v4 (B-3.4, B-10.37), and the
// attribute type `media`.

import type { AliasType, TypeDraft } from '@plinth/kernel'

export const fileUid = 'plugin::upload.file'
export const folderUid = 'plugin::upload.folder'

/** The actions of the operations (B-11, B-9.79). `upload` stands for every change, `destroy` for removal. */
export const fileActions = {
  find: 'plugin::upload.content-api.find',
  findOne: 'plugin::upload.content-api.findOne',
  create: 'plugin::upload.content-api.upload',
  update: 'plugin::upload.content-api.upload',
  delete: 'plugin::upload.content-api.destroy',
} as const

const text = { type: 'string', configurable: false } as const
const needed = { ...text, required: true } as const

/** The attributes are shown in this order. */
export const fileSchema = {
  kind: 'collectionType',
  collectionName: 'files',
  globalId: 'UploadFile',
  info: { singularName: 'file', pluralName: 'files', displayName: 'File', description: '' },
  attributes: {
    name: needed,
    alternativeText: text,
    caption: text,
    width: { type: 'integer', configurable: false },
    height: { type: 'integer', configurable: false },
    formats: { type: 'json', configurable: false },
    hash: needed,
    ext: text,
    mime: needed,
    size: { type: 'decimal', configurable: false, required: true },
    url: needed,
    previewUrl: text,
    provider: needed,
    provider_metadata: { type: 'json', configurable: false },
    related: { type: 'relation', relation: 'morphToMany', configurable: false },
    folder: {
      type: 'relation',
      relation: 'manyToOne',
      target: folderUid,
      inversedBy: 'files',
      private: true,
    },
    folderPath: { type: 'string', minLength: 1, required: true, private: true, searchable: false },
  },
} as const

export const folderSchema = {
  kind: 'collectionType',
  collectionName: 'upload_folders',
  globalId: 'UploadFolder',
  info: { singularName: 'folder', pluralName: 'folders', displayName: 'Folder' },
  attributes: {
    name: { type: 'string', minLength: 1, required: true },
    pathId: { type: 'integer', unique: true, required: true },
    parent: { type: 'relation', relation: 'manyToOne', target: folderUid, inversedBy: 'children' },
    children: { type: 'relation', relation: 'oneToMany', target: folderUid, mappedBy: 'parent' },
    files: { type: 'relation', relation: 'oneToMany', target: fileUid, mappedBy: 'folder' },
    path: { type: 'string', minLength: 1, unique: true, required: true },
  },
} as const

/** Adds v4's indexes of files. */
export function indexFiles(draft: TypeDraft): void {
  for (const name of ['folderPath', 'createdAt', 'updatedAt', 'name', 'size', 'ext']) draft.index([name])
}

/**
 * The attribute type `media`: files that belong to the entry, one or several. Filters cannot pass through it (service.md
 * on filters), unless the setting `allowFilters` asks for the behaviour of v4 (B-2.119); sort keys can (B-2.22).
 */
export function mediaType(allowFilters: boolean): AliasType {
  return {
    as: ({ multiple }) => ({
      type: 'relation',
      relation: multiple === true ? 'morphMany' : 'morphOne',
      target: fileUid,
      morphBy: 'related',
    }),
    isPassable: allowFilters,
    isSortable: true,
    isShownWithEntry: true,
  }
}
