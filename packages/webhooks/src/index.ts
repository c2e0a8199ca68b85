// The plugin webhooks: sends changes of entries and files to other systems by HTTP, at least once and in order
// (B-10.74). It depends on no other plugin.

import { definePlugin, type Kernel } from '@plinth/kernel'
import { webhookCommands } from './commands.ts'
import { configSchema } from './config.ts'
import { remarkOnV4 } from './lines.ts'
import { ownTables } from './outbox.ts'
import { Webhooks } from './service.ts'
import { columnsOfV4, hookOfV4, storedTables, tableOfV4 } from './stored.ts'

const webhooksOf = new WeakMap<Kernel, Webhooks>()

export default definePlugin({
  name: 'webhooks',
  after: ['users-permissions', 'api-tokens', 'draft-publish', 'i18n', 'upload'],
  config: configSchema,
  tables: [tableOfV4],
  ownTables: { ...ownTables, ...storedTables },
  commands: { webhooks: webhookCommands(kernel => webhooksOf.get(kernel)!) },
  async inspect(stored) {
    const rows = await stored.rows(tableOfV4, columnsOfV4)
    return rows.length === 0 ? [] : [remarkOnV4(rows.map(hookOfV4))]
  },
  register({ kernel, config }) {
    webhooksOf.set(kernel, new Webhooks(kernel, config))
  },
  bootstrap: ({ kernel }) => webhooksOf.get(kernel)!.start(),
  destroy: ({ kernel }) => webhooksOf.get(kernel)?.close(),
})
