// Names the actions of the plugin, as in v4. No role has them by default.

const plugin = 'plugin::content-type-builder'

export const actions = {
  listTypes: `${plugin}.content-types.getContentTypes`,
  readType: `${plugin}.content-types.getContentType`,
  listComponents: `${plugin}.components.getComponents`,
  readComponent: `${plugin}.components.getComponent`,
  /** Not in v4: the model as `plinth types --url` reads it. */
  readModel: `${plugin}.content-types.getModel`,
  /** Not in v4: what the caller may do. */
  readRights: `${plugin}.rights.getRights`,
} as const
