// Writes the pages of the reference that are made from the sources: `npx pnpm@10 --filter docs reference`.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../contents.ts'
import { hooksPage } from './hooks.ts'
import { settingsPage } from './settings.ts'

writeFileSync(join(root, 'docs/hooks.md'), hooksPage())
writeFileSync(join(root, 'docs/settings.md'), await settingsPage())
