// All files of a new application, as texts by their paths.

import { configFiles } from './config.ts'
import { containerFiles } from './container.ts'
import { contentFiles } from './content.ts'
import { environmentFiles } from './environment.ts'
import type { ApplicationSource, Files } from './files-by-path.ts'
import { manifestFiles } from './manifest.ts'
import { readme } from './readme.ts'

/** The files of an application with one content type. */
export function filesOf(source: ApplicationSource): Files {
  const { choices } = source
  return {
    ...manifestFiles(source),
    ...configFiles(choices),
    ...contentFiles(choices),
    ...environmentFiles(choices),
    ...containerFiles(source.ranges.size > 0),
    'README.md': readme(choices),
  }
}
