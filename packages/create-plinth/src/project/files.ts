// All files of a new application, as texts by their paths.

import type { Choices } from '../choices.ts'
import { configFiles } from './config.ts'
import { contentFiles } from './content.ts'
import { containerFiles } from './container.ts'
import { environmentFiles } from './environment.ts'
import { manifestFiles } from './manifest.ts'
import { readme } from './readme.ts'

/** Texts by paths relative to the application. */
export type Files = Readonly<Record<string, string>>

/** What the files are made of. */
export interface Making {
  readonly choices: Choices
  /** Ranges of packages that do not come from the registry. */
  readonly ranges: ReadonlyMap<string, string>
  /** Further packages with their ranges; an empty one stands for that of this release. */
  readonly more?: ReadonlyMap<string, string>
}

/** The files of an application with one content type. */
export function filesOf(making: Making): Files {
  const { choices } = making
  return {
    ...manifestFiles(making),
    ...configFiles(choices),
    ...contentFiles(choices),
    ...environmentFiles(choices),
    ...containerFiles(making.ranges.size > 0),
    'README.md': readme(choices),
  }
}
