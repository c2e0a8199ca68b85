// The parameter by which lists of files are those of one folder. The attribute `folder` is private, as in v4, so filters of
// callers cannot name it.

import { eq, ForbiddenError, labelOf, linked, not, type ParameterDefinition, Type } from '@plinth/kernel'
import { fileUid } from '../types.ts'

/** The name of the parameter. The route of files calls it `folder`. */
export const folderParameter = 'uploadFolder'

const root = 'root'

/** `uploadFolder=3`: the files in a folder, and with `root` those in none. `findAction` is the right to find folders. */
export function inFolder(findAction: () => string): ParameterDefinition {
  return {
    name: folderParameter,
    schema: Type.String({ pattern: `^(${root}|\\d{1,15})$` }),
    refuse: () => `folder must be the id of a folder, or "${root}"`,
    for: ({ uid }) => uid === fileUid,
    actions: ['find', 'count'],
    depth: 'root',
    rootOnly: true,
    shape: (folder: string) => (folder === root ? root : 'one'),
    // v4's schema of GraphQL has no such argument.
    offer: {},
    plan: (node, { shape, value }) => {
      if (!node.access.can(findAction()))
        throw new ForbiddenError().withReason(`${labelOf(node.access)} lacks ${findAction()}`)
      node.where(shape === root ? not(linked('folder')) : linked('folder', eq('id', value)))
    },
  }
}
