// The plugin advice: counts what lists sort and filter by, and how long that takes, for `plinth advise`. Where it is off,
// nobody counts.

import { definePlugin } from '@plinth/kernel'
import { Advisor } from './advisor.ts'
import { configSchema, settingsOf } from './config.ts'
import { ownTables } from './stored-counts.ts'

/** The advisor of each kernel, from the freeze to its end. */
const advisors = new WeakMap<object, Advisor>()

export default definePlugin({
  name: 'advice',
  config: configSchema,
  ownTables,
  register({ kernel, config }) {
    const advisor = new Advisor(kernel, settingsOf(config))
    advisors.set(kernel, advisor)
    kernel.hooks.on('onPage', page => advisor.add(page))
  },
  bootstrap: ({ kernel }) => advisors.get(kernel)?.start(),
  destroy: ({ kernel }) => advisors.get(kernel)?.stop(),
})
