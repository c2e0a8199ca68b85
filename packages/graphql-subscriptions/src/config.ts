// Declares the options of the plugin (`graphql-subscriptions.config`).

import { type Static, Type } from '@plinth/kernel'

const limit = (fallback: number, description: string) => Type.Integer({ minimum: 1, default: fallback, description })

const origin = 'an origin, such as "https://www.example.com", or "null"'

export const configSchema = Type.Object(
  {
    redis: Type.Optional(
      Type.Union([Type.String(), Type.Object({})], {
        description:
          'The Redis through which the processes of an application exchange changes: its URL, or options of ioredis. Without it, subscribers are notified of the changes that their own process makes.',
      }),
    ),
    channel: Type.String({
      default: 'plinth',
      pattern: '^[\\w.:-]+$',
      expected: 'a text of letters, digits, "_", ".", ":" and "-"',
      description: 'The prefix of the channels in Redis, which are the same for all databases of one Redis.',
    }),
    origins: Type.Optional(
      Type.Array(Type.String({ pattern: '^(null|[A-Za-z][\\w+.-]*://[^/\\s*]+/?)$', expected: origin }), {
        description: 'The origins of pages that may connect, beside that of the server itself. Without it: all.',
      }),
    ),
    sockets: limit(1000, 'Connections of one process.'),
    perSocket: limit(100, 'Subscriptions of one connection.'),
    events: limit(
      1000,
      'Changes of which subscribers are still to be notified. If there are more, all subscriptions end with an error.',
    ),
    initTimeout: limit(5, 'Seconds after which a connection is closed that has sent no `connection_init`.'),
    idleTimeout: limit(120, 'Seconds after which a connection is closed that has no subscription.'),
    waitingBytes: limit(
      64 * 1024 * 1024,
      'Bytes of messages that may wait over all connections; beyond, those that read slowest are ended.',
    ),
    sendTimeout: limit(
      30,
      'Seconds after which a connection is ended if nothing of the messages that wait for it has moved.',
    ),
  },
  { additionalProperties: false },
)

/** The options, with their defaults. */
export type Settings = Static<typeof configSchema>
