// The settings of accounts: tokens, passwords, registration, providers, texts of mails and limits. The names of v4 keep
// their meaning (B-6.52, B-6.53).

import { type Static, Type } from '@plinth/kernel'
import { providerSettings } from './providers/config.ts'

const strict = { additionalProperties: false }
const section = { ...strict, default: {} }

/** A span of time: a number with a unit, such as `30d`, `12 hours` and `45m`. */
const span = Type.String({
  pattern: '^\\s*\\d+(\\.\\d+)?\\s*[a-zA-Z]+\\s*$',
  expected: 'a number, or a span of time such as "30d"',
})

/** A page of a front end, or null. A line break would end the header in which it is sent (security.md row 22). */
const address = (description: string) =>
  Type.Union(
    [Type.String({ pattern: '^[^\\s\\x00-\\x1f\\x7f]+$', expected: 'an address without blanks' }), Type.Null()],
    { description },
  )

const template = (description: string) =>
  Type.Object(
    {
      from: Type.Optional(Type.String({ description: 'The sender; by default that of the plugin email.' })),
      replyTo: Type.Optional(Type.String({ description: 'The address for replies.' })),
      subject: Type.Optional(Type.String({ description: 'The subject, with the variables of the message.' })),
      message: Type.Optional(Type.String({ description: 'HTML, with variables such as `<%= URL %>`.' })),
    },
    { ...strict, description },
  )

export const accountSettings = {
  jwtSecret: Type.Optional(
    Type.String({ description: 'The key that signs tokens. Without it, the environment variable JWT_SECRET is used.' }),
  ),
  jwt: Type.Object(
    {
      expiresIn: Type.Union([Type.Integer({ minimum: 1 }), span], {
        default: '30d',
        description: 'The time that a token is valid: a number of seconds, or a span such as `30d`.',
      }),
    },
    { ...section, description: 'Tokens of logins.' },
  ),
  register: Type.Object(
    {
      allowedFields: Type.Array(Type.String(), {
        default: [],
        description: 'Attributes of users that a registration may set beside username, email and password.',
      }),
    },
    { ...section, description: 'Registrations.' },
  ),
  passwords: Type.Object(
    {
      algorithm: Type.Union([Type.Literal('scrypt'), Type.Literal('bcrypt')], {
        default: 'scrypt',
        description:
          'The algorithm of new hashes. A login replaces a hash of the other one. `bcrypt` is for projects in which v4 runs on the same database.',
      }),
    },
    { ...section, description: 'Settings of the storage of passwords.' },
  ),
  advanced: Type.Object(
    {
      unique_email: Type.Optional(
        Type.Boolean({ description: 'True if an address belongs to one user; true by default.' }),
      ),
      allow_register: Type.Optional(Type.Boolean({ description: 'True if people may register; true by default.' })),
      email_confirmation: Type.Optional(Type.Boolean({ description: 'True if a login needs a confirmed address.' })),
      email_reset_password: Type.Optional(
        address('The page of a front end at which a forgotten password is replaced.'),
      ),
      email_confirmation_redirection: Type.Optional(address('The page of a front end to which a confirmation leads.')),
      default_role: Type.Optional(Type.String({ description: 'The type of the role of people who register.' })),
    },
    {
      ...section,
      description:
        "v4's advanced settings. Those that are left out are read from v4's table of settings, if there is one.",
    },
  ),
  ...providerSettings,
  ratelimit: Type.Object(
    {
      enabled: Type.Boolean({ default: true, description: 'False: requests of accounts are not limited.' }),
      interval: Type.Union([Type.Integer({ minimum: 1 }), span], {
        default: 60_000,
        description: 'The length of a window: milliseconds, or a span such as `1 minute`.',
      }),
      max: Type.Integer({
        minimum: 1,
        default: 10,
        description: 'Requests in a window, by one address to one route, and for one account to one route.',
      }),
      redis: Type.Optional(
        Type.String({
          pattern: '^rediss?://',
          expected: 'a URL such as "redis://127.0.0.1:6379"',
          description: 'The URL of a Redis server that counts for several processes. Needs the package ioredis.',
        }),
      ),
      prefix: Type.String({ default: 'plinth-limit:', description: 'The beginning of the keys in Redis.' }),
    },
    { ...section, description: 'The limit of requests of accounts.' },
  ),
  email: Type.Object(
    {
      templates: Type.Object(
        {
          reset_password: Type.Optional(template('The mail for a forgotten password.')),
          email_confirmation: Type.Optional(template('The mail that confirms an address.')),
        },
        { ...section, description: 'The texts of the mails of accounts. Their provider is that of the plugin email.' },
      ),
    },
    { ...section, description: 'Mails of accounts.' },
  ),
}

const all = Type.Object(accountSettings)

/** The settings of accounts, checked and with their defaults. */
export type AccountConfig = Static<typeof all>
