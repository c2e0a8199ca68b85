// The plugin graphql-subscriptions: clients of the GraphQL endpoint are notified of changes of entries over a WebSocket. v4
// has no subscriptions (B-9.13).

// The import tells the compiler the types of the services.
import type {} from '@plinth/graphql'
import { definePlugin } from '@plinth/kernel'
import { Commits } from './commits.ts'
import { configSchema } from './config.ts'

/** Outside of the definition, because the compiler does not rewrite such paths inside of `export default`. */
const loadMount = () => import('./mount.ts')

export default definePlugin({
  name: 'graphql-subscriptions',
  dependencies: ['graphql'],
  config: configSchema,
  register({ kernel, config: settings, app }) {
    // Without a server nobody listens, but the schema that is printed has the subscriptions.
    const commits = app === null ? null : new Commits(kernel)
    kernel.services.find('graphql', 'changes')?.serve(async endpoint => {
      const { mountSubscriptions } = await loadMount()
      mountSubscriptions(endpoint, { kernel, settings, commits: commits! })
    })
  },
})
