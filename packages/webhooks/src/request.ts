// Makes the request that delivers an event: v4's body and header, and the signature. Knows no queue and no connection.

import type { Hook } from './hooks.ts'
import type { Outgoing } from './sender.ts'
import { sign, signatureHeaders } from './signature.ts'

/** An event to deliver. `id` is the same for all attempts. */
export interface Delivery {
  readonly id: string
  readonly event: string
  readonly body: string
}

export function requestOf({ url, headers, secrets }: Hook, { id, event, body }: Delivery): Outgoing {
  const time = Math.floor(Date.now() / 1000)
  const own: Record<string, string> = {
    'content-type': 'application/json',
    'user-agent': 'Plinth-Webhooks',
    'x-strapi-event': event,
    [signatureHeaders.id]: id,
    [signatureHeaders.time]: String(time),
    ...(secrets.length > 0 && { [signatureHeaders.signature]: sign({ id, time, body }, secrets) }),
  }
  // Those of the settings may replace the first two, but none that receivers rely on.
  const configured = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const)
  const free = configured.filter(([name]) => !(name in own) || name === 'content-type' || name === 'user-agent')
  return { url, headers: { ...own, ...Object.fromEntries(free) }, body }
}
