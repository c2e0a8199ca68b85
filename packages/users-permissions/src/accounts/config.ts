// The settings of accounts: tokens, passwords, registration, providers, texts of mails and limits. The names of v4 keep
// their meaning (B-6.52, B-6.53).

import { type Static, Type } from '@plinth/kernel'
import { providerSettings } from './providers/config.ts'

const strict = { additionalProperties: false }
const section = { ...strict, default: {} }

/** A span of time: a number with a unit, such as `30d`, `12 hours` and `45m`. */
const span = Type.String({ pattern: '^\\s*\\d+(\\.\\d+)?\\s*[a-zA-Z]+\\s*$' })

/** A page of a front end, or null. A line break would end the header in which it is sent (security.md row 22). */
const address = Type.Union([Type.String({ pattern: '^[^\\s\\x00-\\x1f\\x7f]+$' }), Type.Null()])

const template = Type.Object(
  {
    from: Type.Optional(Type.String()),
    replyTo: Type.Optional(Type.String()),
    subject: Type.Optional(Type.String()),
    /** HTML, with variables such as `<%= URL %>`. */
    message: Type.Optional(Type.String()),
  },
  strict,
)

export const accountSettings = {
  /** The key that signs tokens. Without it, the environment variable JWT_SECRET is used. */
  jwtSecret: Type.Optional(Type.String()),
  jwt: Type.Object(
    {
      /** The time that a token is valid: a number of seconds, or a span such as `30d`. */
      expiresIn: Type.Union([Type.Integer({ minimum: 1 }), span], { default: '30d' }),
    },
    section,
  ),
  register: Type.Object(
    {
      /** Attributes of users that a registration may set beside username, email and password (B-6.41). */
      allowedFields: Type.Array(Type.String(), { default: [] }),
    },
    section,
  ),
  passwords: Type.Object(
    {
      /**
       * The algorithm of new hashes. A login replaces a hash of the other one. `bcrypt` is for projects in which v4 runs
       * on the same database.
       */
      algorithm: Type.Union([Type.Literal('scrypt'), Type.Literal('bcrypt')], { default: 'scrypt' }),
    },
    section,
  ),
  /** v4's advanced settings. Those that are left out are read from v4's table of settings, if there is one. */
  advanced: Type.Object(
    {
      unique_email: Type.Optional(Type.Boolean()),
      allow_register: Type.Optional(Type.Boolean()),
      email_confirmation: Type.Optional(Type.Boolean()),
      email_reset_password: Type.Optional(address),
      email_confirmation_redirection: Type.Optional(address),
      default_role: Type.Optional(Type.String()),
    },
    section,
  ),
  ...providerSettings,
  ratelimit: Type.Object(
    {
      enabled: Type.Boolean({ default: true }),
      /** The length of a window: milliseconds, or a span such as `1 minute`. */
      interval: Type.Union([Type.Integer({ minimum: 1 }), span], { default: 60_000 }),
      /** Requests in a window, by one address to one route, and for one account to one route. */
      max: Type.Integer({ minimum: 1, default: 10 }),
      /** The URL of a Redis server that counts for several processes. Needs the package ioredis. */
      redis: Type.Optional(Type.String({ pattern: '^rediss?://' })),
      /** The beginning of the keys in Redis. */
      prefix: Type.String({ default: 'plinth-limit:' }),
    },
    section,
  ),
  email: Type.Object(
    {
      /** The texts of the mails of accounts. Their provider is that of the plugin email. */
      templates: Type.Object(
        { reset_password: Type.Optional(template), email_confirmation: Type.Optional(template) },
        section,
      ),
    },
    section,
  ),
}

const all = Type.Object(accountSettings)

/** The settings of accounts, checked and with their defaults. */
export type AccountConfig = Static<typeof all>
