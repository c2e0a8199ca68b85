// A config/plugins file without a written file: everything that a file may contain compiles.

import { definePlugins } from '@plinth/kernel'

export const plugins = definePlugins({
  'draft-publish': { config: { previewFr: 'all' } },
  'draft-publsh': true,
  upload: { enabled: false, resolve: './src', config: { anything: [{ at: 1 }] } },
})

export const byFunction = definePlugins(({ env }) => ({
  upload: { config: { anything: env('ANY', '') } },
  other: false,
}))

// @ts-expect-error: neither true, false nor an object.
export const wrong = definePlugins({ upload: 'on' })

// @ts-expect-error: settings belong below `config`.
export const misplaced = definePlugins({ upload: { folder: 'x' } })
