// The settings of the plugin (`webhooks.config`), and the names of events, which are v4's (B-10.74).

import { PluginConfigError, type Static, Type } from '@plinth/kernel'
import { faultOfRange } from './addresses.ts'

export const entryEvents = ['entry.create', 'entry.update', 'entry.delete', 'entry.publish', 'entry.unpublish'] as const
export const mediaEvents = ['media.create', 'media.update', 'media.delete'] as const
export type EventName = (typeof entryEvents)[number] | (typeof mediaEvents)[number]

const text = (description: string) => Type.String({ minLength: 1, description })
const secret = Type.String({ minLength: 16 })
const seconds = (fallback: number, bounds: object, description: string) =>
  Type.Number({ default: fallback, description, ...bounds })

const hookSchema = Type.Object(
  {
    url: Type.String({
      pattern: '^https?://',
      expected: 'an address that begins with https:// or http://',
      description: 'The address to which events are sent by POST.',
    }),
    secret: Type.Optional(
      Type.Union([secret, Type.Array(secret, { minItems: 1 })], {
        description: 'Signs what is sent; of several, each makes a signature, so that one can be replaced by another.',
      }),
    ),
    headers: Type.Optional(
      Type.Record(Type.String(), Type.String(), { description: 'Headers of each request, such as Authorization.' }),
    ),
    events: Type.Optional(
      Type.Array(Type.Enum([...entryEvents, ...mediaEvents]), {
        minItems: 1,
        description: 'The events that are sent; those of entries by default.',
      }),
    ),
    types: Type.Optional(
      Type.Array(Type.String(), {
        minItems: 1,
        description: 'Uids of the content types whose changes are sent; those of the application by default.',
      }),
    ),
    as: Type.Optional(
      Type.Union(
        [
          Type.Object({ role: text('The type or the name of a role.') }, { additionalProperties: false }),
          Type.Object({ token: text('The name of an API token.') }, { additionalProperties: false }),
        ],
        {
          description: 'The role or API token whose rights limit what is sent; by default callers without credentials.',
        },
      ),
    ),
    drafts: Type.Optional(
      Type.Boolean({ description: 'True if events of drafts are sent, too, provided that the caller may see drafts.' }),
    ),
    populate: Type.Optional(
      Type.Unknown({
        description:
          'The attributes to populate, as in a query. By default components, dynamic zones, files and one level of relations.',
      }),
    ),
    enabled: Type.Optional(Type.Boolean({ description: 'False: nothing is noted for it.' })),
  },
  { additionalProperties: false },
)

export const configSchema = Type.Object(
  {
    hooks: Type.Record(Type.String({ pattern: '^[\\w-]{1,64}$' }), hookSchema, {
      default: {},
      additionalProperties: false,
      expected: 'a name of at most 64 letters, digits, "_" and "-"',
      description: 'The webhooks, by their names.',
    }),
    stored: Type.Boolean({
      default: false,
      description: 'True: those that `plinth webhooks adopt` has taken over from v4 are called, too.',
    }),
    allowAddresses: Type.Array(Type.String(), {
      default: [],
      description: 'Addresses and ranges that may be called although they are not public, such as 10.0.0.0/8.',
    }),
    timeout: seconds(10, { minimum: 1, maximum: 10 }, 'Seconds after which a request is ended.'),
    concurrency: Type.Integer({
      default: 10,
      minimum: 1,
      maximum: 100,
      description: 'Requests that one process sends to one webhook at the same time.',
    }),
    attempts: Type.Integer({
      default: 16,
      minimum: 1,
      maximum: 100,
      description: 'Attempts after which an event becomes a dead letter.',
    }),
    retryPause: seconds(
      5,
      { exclusiveMinimum: 0, maximum: 3600 },
      'Seconds before the second attempt; each later pause is twice as long, up to an hour.',
    ),
    pollEvery: seconds(
      5,
      { exclusiveMinimum: 0, maximum: 300 },
      'Seconds between two looks for events of other processes and for those that are to be sent again.',
    ),
    keepDeadFor: seconds(30, { exclusiveMinimum: 0, maximum: 3650 }, 'Days for which dead letters are kept.'),
  },
  { additionalProperties: false },
)

export type Config = Static<typeof configSchema>
export type HookConfig = Static<typeof hookSchema>

/** Throws PluginConfigError for what the schema does not find. */
export function checkConfig({ allowAddresses, hooks }: Config): void {
  const mistakes = allowAddresses.flatMap((range, i) => {
    const fault = faultOfRange(range)
    return fault === null ? [] : [`webhooks.config.allowAddresses[${i}]: ${fault}, found "${range}"`]
  })
  for (const [name, { url, headers = {} }] of Object.entries(hooks)) {
    const place = `webhooks.config.hooks.${name}`
    if (!URL.canParse(url)) mistakes.push(`${place}.url is not a URL`)
    for (const [header, value] of Object.entries(headers))
      if (!/^[\w!#$%&'*+.^`|~-]+$/.test(header) || /[^\t\x20-\x7e\x80-\xff]/.test(value))
        mistakes.push(`${place}.headers: "${header}" is not a header, or has a value that no header can have`)
  }
  if (mistakes.length > 0) throw new PluginConfigError(mistakes)
}
