// Names of the files in config/: a misspelled one is not read, and the application would start without what it says.

import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { StartError } from '../errors.ts'
import { typoOf } from '../model/typo.ts'

/** The files that are read. */
export const configNames = ['server', 'api', 'database', 'plugins'] as const

/** The extensions in which they are read, in this order. */
export const configExtensions = ['ts', 'js', 'mjs', 'cjs', 'json']

/** Files of v4 that are not read here and that nobody has to take away. */
const ofV4 = ['admin', 'cron-tasks', 'cron', 'features', 'functions', 'hooks', 'logger', 'middlewares', 'sentry']

/** Extensions of files that are meant to be read. */
const otherExtensions = ['mts', 'cts', 'yml', 'yaml', 'jsonc', 'json5', 'toml']

/**
 * Throws StartError for a file whose name or extension is near one that is read, where the folder has no file of the right name.
 * Other files are the application's own. Looks into `config` and `config/env/<mode>`.
 */
export async function checkConfigNames(dir: string, mode: string, warn: (message: string) => void): Promise<void> {
  for (const folder of ['config', `config/env/${mode}`]) checkNames(folder, await filesOf(join(dir, folder)), warn)
}

/** A file without its extension, for files with one dot. */
interface Named {
  readonly stem: string
  readonly extension: string
}

async function filesOf(folder: string): Promise<Named[]> {
  // Where there is no folder, there are no files.
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  return entries.flatMap(one => {
    const match = /^([^.]+)\.(\w+)$/.exec(one.name)
    return one.isDirectory() || match === null ? [] : { stem: match[1]!, extension: match[2]! }
  })
}

function checkNames(folder: string, files: readonly Named[], warn: (message: string) => void): void {
  const isRead = ({ stem, extension }: Named) => names.includes(stem) && configExtensions.includes(extension)
  const present = new Set(files.filter(isRead).map(one => one.stem))
  for (const file of files) {
    const { stem, extension } = file
    const isMeant = configExtensions.includes(extension) || otherExtensions.includes(extension)
    const meant = names.includes(stem) ? stem : typoOf(stem, [...names, ...ofV4])
    if (isRead(file) || !isMeant || meant === null || !names.includes(meant) || present.has(meant)) continue
    const path = `${folder}/${stem}.${extension}`
    if (meant === stem)
      throw new StartError('PLINTH_CONFIG_INVALID', `${path}: is not read: ${configExtensions.join(', ')} are`)
    const right = `${folder}/${meant}.${configExtensions.includes(extension) ? extension : 'ts'}`
    const message = `${path}: is not read, did you mean ${right}?`
    // So short a word may be one of its own, such as "app".
    if (meant.length < 4) warn(message)
    else throw new StartError('PLINTH_CONFIG_INVALID', message)
  }
}

const names: readonly string[] = configNames
