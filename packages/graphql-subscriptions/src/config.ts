// Declares the options of the plugin (`graphql-subscriptions.config`).

import { type Static, Type } from '@plinth/kernel'

const limit = (fallback: number) => Type.Integer({ minimum: 1, default: fallback })

export const configSchema = Type.Object(
  {
    /**
     * The Redis through which the processes of an application exchange changes: its URL, or options of ioredis. Without
     * it, subscribers are notified of the changes that their own process makes.
     */
    redis: Type.Optional(Type.Union([Type.String(), Type.Object({})])),
    /** The prefix of the channels in Redis, which are the same for all databases of one Redis. */
    channel: Type.String({ default: 'plinth', pattern: '^[\\w.:-]+$' }),
    /** The origins of pages that may connect, beside that of the server itself. Without it: all. */
    origins: Type.Optional(Type.Array(Type.String())),
    /** Connections of one process. */
    sockets: limit(1000),
    /** Subscriptions of one connection. */
    perSocket: limit(100),
    /** Changes of which subscribers are still to be notified. If there are more, all subscriptions end with an error. */
    events: limit(1000),
    /** Seconds after which a connection is closed that has sent no `connection_init`. */
    initTimeout: limit(5),
    /** Seconds after which a connection is closed that has no subscription. */
    idleTimeout: limit(120),
    /** Bytes of messages that may wait over all connections; beyond, those that read slowest are ended. */
    waitingBytes: limit(64 * 1024 * 1024),
    /** Seconds after which a connection is ended if nothing of the messages that wait for it has moved. */
    sendTimeout: limit(30),
  },
  { additionalProperties: false },
)

/** The options, with their defaults. */
export type Settings = Static<typeof configSchema>
