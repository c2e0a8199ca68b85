// Guards the records of files against writes past the uploads: a record that was made or changed by hand could name a
// file that is not there, or that of another record. And it notes which files go with a record that is deleted.

import { ApplicationError, type HookRegistry, systemAccess, ValidationError, type Write } from '@plinth/kernel'
import type { Files } from './files.ts'
import { fileUid } from './types.ts'

/** The attributes that callers may change by operations that are generated for all types, such as `updateUploadFile` (B-9.79). */
const describing: readonly string[] = ['name', 'alternativeText', 'caption', 'folder', 'folderPath']

/** Those of them that callers choose: the path follows from the folder. `related` is sent from its other side. */
const chosen: readonly string[] = describing.filter(name => name !== 'folderPath')

const isFile = ({ uid }: { readonly uid: string }) => uid === fileUid

export function guardRecords(hooks: HookRegistry, files: () => Files): void {
  hooks.on('prePlan', { for: isFile, actions: ['create', 'update'] }, draft =>
    draft.declareClosed(...[...draft.type.attributes.keys()].filter(name => !chosen.includes(name))),
  )
  hooks.on('preWrite', { for: isFile, actions: ['create', 'update'], order: 'pre' }, write =>
    checkRecord(write, files()),
  )
  // The writer reads the entry once it has locked it: what was read earlier may have been replaced since.
  hooks.on('onWrite', { for: isFile, actions: ['delete'] }, async write => {
    const before = await write.before()
    if (before !== null) await files().noteRemoval(write.tx!, before)
  })
}

/** The system, such as a script that imports records whose files are there, may do everything. */
function checkRecord({ action, context, sent }: Write, files: Files): void {
  if (files.isPluginWrite(context) || context.access === systemAccess) return
  if (action === 'create') throw new ApplicationError('Files are made by uploads')
  for (const name of sent)
    if (!describing.includes(name)) throw new ValidationError(`${name} of a file cannot be changed`, { path: name })
}
