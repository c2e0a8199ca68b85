/** Plinth's plugins with the settings that the answers were recorded with. */
export const plugins = {
  rest: { config: { defaultLimit: 25, maxLimit: 100 } },
  'draft-publish': { config: { findOne: 'v4' } },
  i18n: {},
}
