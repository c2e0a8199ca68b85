// Connects the parts of subscriptions: changes come from commits and from other processes, connections subscribe to them.

import type { Kernel } from '@plinth/kernel'
import type { FastifyInstance } from 'fastify'
import type { Server } from 'node:http'
import type { Settings, SubscriptionSettings } from '../config.ts'
import type { Change } from '../execution/change.ts'
import type { Executor } from '../execution/executor.ts'
import type { Commits } from './commits.ts'
import { Notifier } from './notifier.ts'
import { noPubSub, type PubSub } from './pub-sub.ts'
import { makeEmitter } from './redis-emitter.ts'
import { RedisPubSub } from './redis-pub-sub.ts'
import { Sockets } from './sockets.ts'
import { Subscriptions } from './subscriptions.ts'

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
  let pubSub: PubSub = noPubSub
  const subscriptions = new Subscriptions(() => pubSub.announce(subscriptions.uids))
  const notifier = new Notifier({ kernel, executor, subscriptions, maxEvents: options.events })
  const onChange = (change: Change) => notifier.notify(change)
  pubSub = pubSubFor(options, kernel, onChange)
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
    hasSubscribers: uid => subscriptions.has(uid) || pubSub.hasSubscribers(uid),
    onChange(change) {
      onChange(change)
      if (pubSub.hasSubscribers(change.uid)) pubSub.publish(change)
    },
  }
  scope.addHook('preClose', async () => {
    await sockets.close()
    await notifier.close()
  })
  scope.addHook('onClose', async () => {
    commits.listener = null
    await pubSub.close()
  })
}

function pubSubFor(
  { redis, channel }: SubscriptionSettings,
  kernel: Kernel,
  onChange: (change: Change) => void,
): PubSub {
  if (redis === undefined) return noPubSub
  const warn = ({ message }: Error) => kernel.log.warn(`GraphQL: processes cannot exchange changes: ${message}`)
  return new RedisPubSub({ emitter: makeEmitter(redis, kernel.dir), channel, onChange, warn })
}
