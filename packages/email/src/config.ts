// The settings of the plugin: `config` below `email` in config/plugins, with the names of v4.

import { type Static, Type } from '@plinth/kernel'

const strict = { additionalProperties: false }

export const configSchema = Type.Object(
  {
    provider: Type.String({
      default: 'log',
      description:
        "`log`, `nodemailer`, the name of one of v4's providers, or a module whose default export has `init`.",
    }),
    providerOptions: Type.Record(Type.String(), Type.Unknown(), {
      default: {},
      description: 'The options of the provider; for nodemailer, those of its transport.',
    }),
    settings: Type.Object(
      {
        defaultFrom: Type.Optional(Type.String({ description: 'The sender of mails that name none.' })),
        defaultReplyTo: Type.Optional(Type.String({ description: 'The address for replies to mails that name none.' })),
        testAddress: Type.Optional(
          Type.String({
            description: 'Accepted because v4 has it, without effect: the address to which its panel sends a test.',
          }),
        ),
      },
      { ...strict, default: {}, description: 'Addresses of mails that name none.' },
    ),
  },
  strict,
)

/** The settings, checked and with their defaults. */
export type Config = Static<typeof configSchema>

/** The settings of an application that sets none. */
export const defaultConfig: Config = { provider: 'log', providerOptions: {}, settings: {} }
