// The command `plinth export`: writes the content and the files of an application into one archive.

import { defineCommand } from '#citty'
import { dirOption } from './open.ts'
import { partOptions } from './transfer/parts.ts'
import { requireTransfer } from './transfer-package.ts'
import { withExamples } from './usage.ts'

export const exportCommand = withExamples(
  defineCommand({
    meta: {
      name: 'export',
      description:
        'write all entries and files into one archive, which only its owner can read: it has password hashes and private attributes',
    },
    args: {
      dir: dirOption,
      file: { type: 'string', alias: 'f', description: 'the archive; .tar.gz is added to a name without it' },
      compress: {
        type: 'boolean',
        default: true,
        description: 'compress the archive',
        negativeDescription: 'write .tar',
      },
      force: { type: 'boolean', description: 'replace an archive of that name, and continue no interrupted export' },
      ...partOptions,
      encrypt: { type: 'boolean', description: 'not supported: encrypt the archive with a tool such as age or gpg' },
      key: { type: 'string', alias: 'k', description: 'not supported, as --encrypt' },
    },
    async run({ args }) {
      requireTransfer('plinth export')
      // Only here, because every command loads this file.
      const { runExport } = await import('./transfer/export.ts')
      await runExport(args)
    },
  }),
  [
    'plinth export                             # export_20261123120000.tar.gz in the current folder',
    'plinth export -f backup --exclude files   # backup.tar.gz with entries only',
    'plinth export -f backup.tar               # not compressed',
    'plinth export -f backup                   # again after an interruption: continues',
  ],
)
