// Names the actions of the plugin. No role has them by default.

export const actions = {
  generate: 'plugin::slugs.slugs.generate',
  check: 'plugin::slugs.slugs.checkAvailability',
} as const
