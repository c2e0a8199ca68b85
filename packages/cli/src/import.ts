// The command `plinth import`: brings an archive of `plinth export` or of `strapi export` (v4) into an empty database.

import { defineCommand } from '#citty'
import { dirOption } from './open.ts'
import { partOptions } from './transfer/parts.ts'
import { requireTransfer } from './transfer-package.ts'
import { withExamples } from './usage.ts'

export const importCommand = withExamples(
  defineCommand({
    meta: {
      name: 'import',
      description: 'bring an archive of `plinth export` or of Strapi v4 into an empty database; stop the server before',
    },
    args: {
      dir: dirOption,
      file: { type: 'string', alias: 'f', description: 'the archive: .tar, .tar.gz, or of v4 also .enc' },
      key: { type: 'string', alias: 'k', description: 'the key of an archive that v4 has encrypted' },
      ...partOptions,
      'ignore-unknown': { type: 'boolean', description: 'leave out types and attributes that the model does not have' },
      force: { type: 'boolean', description: 'delete all entries and files of the application first' },
      yes: { type: 'boolean', description: 'with --force: do not ask' },
    },
    async run({ args }) {
      requireTransfer('plinth import')
      // Only here, because every command loads this file.
      const { runImport } = await import('./transfer/import.ts')
      await runImport(args)
    },
  }),
  [
    'plinth import -f backup.tar.gz                        # into an empty database',
    'plinth import -f backup.tar.gz --force --yes          # deletes what is there first, and does not ask',
    'plinth import -f export.tar.gz.enc --key "some words" # an archive that Strapi v4 has encrypted',
  ],
)
