// Connects the parts of subscriptions: changes come from commits and from other processes, connections subscribe to them.

import type { Server } from 'node:http'
import type { Change, ChangeEndpoint } from '@plinth/graphql'
import type { Kernel } from '@plinth/kernel'
import { budgetOf } from '@plinth/server/transport'
import type { Commits } from './commits.ts'
import type { Settings } from './config.ts'
import { Notifier } from './notifier.ts'
import { Outgoing } from './outgoing.ts'
import { noPubSub, type PubSub } from './pub-sub.ts'
import { makeEmitter } from './redis-emitter.ts'
import { RedisPubSub } from './redis-pub-sub.ts'
import { Sockets } from './sockets.ts'
import { Subscriptions } from './subscriptions.ts'

/** The tools with which subscriptions are mounted. */
interface SubscriptionTools {
  readonly kernel: Kernel
  readonly settings: Settings
  readonly commits: Commits
}

/** Adds the WebSocket to an endpoint, until its server closes. */
export function mountSubscriptions(endpoint: ChangeEndpoint, { kernel, settings, commits }: SubscriptionTools): void {
  const { scope } = endpoint
  let pubSub: PubSub = noPubSub
  const share = budgetOf(kernel).open('subscribers')
  const subscriptions = new Subscriptions(() => pubSub.announce(subscriptions.uids))
  const { waitingBytes: maxBytes, sendTimeout } = settings
  const outgoing = new Outgoing({ maxBytes, timeout: sendTimeout * 1000, share })
  const notifier = new Notifier({ kernel, endpoint, subscriptions, maxEvents: settings.events })
  const onChange = (change: Change) => notifier.notify(change)
  pubSub = pubSubFor(settings, kernel, onChange)
  const sockets = new Sockets(scope.server as Server, {
    kernel,
    endpoint,
    subscriptions,
    settings,
    outgoing,
    path: endpoint.path,
    // As for a request of one operation: the text may be written with escapes.
    maxPayload: endpoint.maxText * 4,
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
    share.close()
    await pubSub.close()
  })
}

function pubSubFor({ redis, channel }: Settings, kernel: Kernel, onChange: (change: Change) => void): PubSub {
  if (redis === undefined) return noPubSub
  const warn = ({ message }: Error) => kernel.log.warn(`GraphQL: processes cannot exchange changes: ${message}`)
  return new RedisPubSub({ emitter: makeEmitter(redis, kernel.dir), channel, onChange, warn })
}
