/** The plugins of Plinth, with the settings under which the recorded answers were made. */

export const plugins = {
  rest: { config: { defaultLimit: 25, maxLimit: 100 } },
  'draft-publish': { config: { findOne: 'v4' } },
  i18n: {},
  passwords: {},
}
