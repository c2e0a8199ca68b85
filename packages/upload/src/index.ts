// The plugin upload: the attribute type `media`, files in the tables of v4, and the routes that take and show them (B-11).

import { definePlugin } from '@plinth/kernel'
import { configSchema } from './config.ts'
import { fileActions, fileSchema, fileUid, folderSchema, folderUid, indexFiles, mediaType } from './types.ts'

export type { StoredFile, UploadProvider, UploadProviderModule } from './provider.ts'

export default definePlugin({
  name: 'upload',
  after: ['graphql'],
  config: configSchema,
  tables: ['upload_'],
  register({ kernel, config }) {
    kernel.contentTypes.add(fileSchema, { uid: fileUid, routes: 'own', actions: fileActions })
    kernel.contentTypes.add(folderSchema, { uid: folderUid, routes: 'own' })
    kernel.attributeTypes.add('media', mediaType(config.allowFilters))
    kernel.hooks.on('preModel', { for: ({ uid }) => uid === fileUid }, indexFiles)
  },
})
