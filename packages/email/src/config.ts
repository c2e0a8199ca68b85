// The settings of the plugin: `config` below `email` in config/plugins, with the names of v4.

import { type Static, Type } from '@plinth/kernel'

const strict = { additionalProperties: false }

export const configSchema = Type.Object(
  {
    /** `log`, `nodemailer`, the name of one of v4's providers, or a module whose default export has `init`. */
    provider: Type.String({ default: 'log' }),
    /** The options of the provider; for nodemailer, those of its transport. */
    providerOptions: Type.Record(Type.String(), Type.Unknown(), { default: {} }),
    settings: Type.Object(
      {
        defaultFrom: Type.Optional(Type.String()),
        defaultReplyTo: Type.Optional(Type.String()),
        testAddress: Type.Optional(Type.String()),
      },
      { ...strict, default: {} },
    ),
  },
  strict,
)

/** The settings, checked and with their defaults. */
export type Config = Static<typeof configSchema>

/** The settings of an application that sets none. */
export const defaultConfig: Config = { provider: 'log', providerOptions: {}, settings: {} }
