// Connects the parts of subscriptions: commits and other processes tell of changes, connections subscribe to them.

import type { Kernel } from '@plinth/kernel'
import type { FastifyInstance } from 'fastify'
import type { Server } from 'node:http'
import type { Settings, SubscriptionSettings } from '../config.ts'
import type { Executor } from '../execution/executor.ts'
import { type Bus, noBus } from './bus.ts'
import type { Commits } from './commits.ts'
import { RedisBus } from './redis-bus.ts'
import { makeEmitter } from './redis-emitter.ts'
import { Sockets } from './sockets.ts'
import { Subscriptions } from './subscriptions.ts'
import { Teller } from './teller.ts'

export interface SubscriptionTools {
  readonly kernel: Kernel
  readonly settings: Pick<Settings, 'endpoint' | 'limits'>
  readonly subscriptions: SubscriptionSettings
  readonly executor: Executor
  readonly commits: Commits
}

/** Adds the WebSocket to the endpoint of a scope, until the server closes. */
export function mountSubscriptions(scope: FastifyInstance, tools: SubscriptionTools): void {
  const { kernel, settings, subscriptions: options, executor, commits } = tools
  let bus: Bus = noBus
  const subscriptions = new Subscriptions(() => bus.want(subscriptions.uids))
  const teller = new Teller({ kernel, executor, subscriptions, maxEvents: options.events })
  const hear: Teller['tell'] = change => teller.tell(change)
  bus = busFor(options, kernel, hear)
  const sockets = new Sockets(scope.server as Server, {
    kernel,
    executor,
    subscriptions,
    settings: options,
    path: `${scope.prefix}${settings.endpoint}`.replace(/(.)\/$/, '$1'),
    // As for a request of one operation: the text may be written with escapes.
    maxPayload: settings.limits.text * 4,
  })
  commits.listener = {
    isWanted: uid => subscriptions.has(uid) || bus.isWanted(uid),
    hear(change) {
      teller.tell(change)
      if (bus.isWanted(change.uid)) bus.publish(change)
    },
  }
  scope.addHook('preClose', async () => {
    await sockets.close()
    await teller.close()
  })
  scope.addHook('onClose', async () => {
    commits.listener = null
    await bus.close()
  })
}

function busFor({ redis, channel }: SubscriptionSettings, kernel: Kernel, hear: Teller['tell']): Bus {
  if (redis === undefined) return noBus
  const warn = ({ message }: Error) =>
    kernel.log.warn(`GraphQL: processes cannot tell each other of changes: ${message}`)
  return new RedisBus({ emitter: makeEmitter(redis, kernel.dir), channel, hear, warn })
}
