// Checks the names of the files in config/. A file with a misspelled name is not read, and the application would start
// without its settings.

import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { StartError } from '../errors.ts'
import { typoOf } from '../model/typo.ts'

/** The names of the files that are read. */
export const configNames = ['server', 'api', 'database', 'plugins'] as const

/** The extensions that are read, in the order in which they are tried. */
export const configExtensions = ['ts', 'js', 'mjs', 'cjs', 'json']

/** Files of v4 that are not read here, and that may stay in the folder. */
const ofV4 = ['admin', 'cron-tasks', 'cron', 'features', 'functions', 'hooks', 'logger', 'middlewares', 'sentry']

/** Extensions that are not read, but whose files are likely to be meant as configuration. */
const otherExtensions = ['mts', 'cts', 'yml', 'yaml', 'jsonc', 'json5', 'toml']

/**
 * Checks `config` and `config/env/<mode>`. Throws StartError for two files of one name, and for a file whose name or
 * extension is near one that is read, if the folder has no file of the right name, and for a folder in `config/env`
 * whose name is near the mode. Other files belong to the application.
 */
export async function checkConfigNames(dir: string, mode: string, warn: (message: string) => void): Promise<void> {
  for (const folder of ['config', `config/env/${mode}`]) checkNames(folder, await filesOf(join(dir, folder)), warn)
  await checkModes(dir, mode, warn)
}

/** The values of NODE_ENV that are in use, and what is written for them by mistake. */
const modes = ['production', 'development', 'test', 'staging']
const shortModes: Readonly<Record<string, string>> = { prod: 'production', dev: 'development' }

/** Checks NODE_ENV and the names of the folders in `config/env`, of which only that of NODE_ENV is read. */
async function checkModes(dir: string, mode: string, warn: (message: string) => void): Promise<void> {
  const entries = await readdir(join(dir, 'config/env'), { withFileTypes: true }).catch(() => [])
  const folders = entries.filter(one => one.isDirectory()).map(one => one.name)
  // A mode with a folder of its own is meant.
  if (folders.includes(mode)) return
  const meantMode = shortModes[mode] ?? typoOf(mode, [...modes, ...folders])
  if (!modes.includes(mode) && meantMode !== null)
    warn(`NODE_ENV is "${mode}", did you mean "${meantMode}"? The settings and checks of ${meantMode} do not apply`)
  for (const folder of folders)
    if (modes.includes(mode) && !modes.includes(folder) && typoOf(folder, [mode]) === mode)
      throw new StartError(
        'PLINTH_CONFIG_INVALID',
        `config/env/${folder}: is not read, did you mean config/env/${mode}?`,
      )
}

/** The name and the extension of a file with one dot. */
interface FileName {
  readonly stem: string
  readonly extension: string
}

async function filesOf(folder: string): Promise<FileName[]> {
  // A folder that does not exist has no files.
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  return entries.flatMap(one => {
    const match = /^([^.]+)\.(\w+)$/.exec(one.name)
    return one.isDirectory() || match === null ? [] : { stem: match[1]!, extension: match[2]! }
  })
}

function checkNames(folder: string, files: readonly FileName[], warn: (message: string) => void): void {
  const isRead = ({ stem, extension }: FileName) => names.includes(stem) && configExtensions.includes(extension)
  const read = files.filter(isRead)
  checkTwins(folder, read)
  const present = new Set(read.map(one => one.stem))
  for (const file of files) {
    const { stem, extension } = file
    const isMeant = configExtensions.includes(extension) || otherExtensions.includes(extension)
    const meant = names.includes(stem) ? stem : typoOf(stem, [...names, ...ofV4])
    if (isRead(file) || !isMeant || meant === null || !names.includes(meant) || present.has(meant)) continue
    const path = `${folder}/${stem}.${extension}`
    if (meant === stem)
      throw new StartError(
        'PLINTH_CONFIG_INVALID',
        `${path}: is not read; its extension must be one of ${configExtensions.join(', ')}`,
      )
    const right = `${folder}/${meant}.${configExtensions.includes(extension) ? extension : 'ts'}`
    const message = `${path}: is not read, did you mean ${right}?`
    // A word that short may be a name of the application's own, such as "app" beside "api".
    if (meant.length < 4) warn(message)
    else throw new StartError('PLINTH_CONFIG_INVALID', message)
  }
}

/** Of two files with one name only the first is read, so the settings of the other would have no effect. */
function checkTwins(folder: string, read: readonly FileName[]): void {
  for (const name of names) {
    const extensions = configExtensions.filter(extension =>
      read.some(one => one.stem === name && one.extension === extension),
    )
    if (extensions.length < 2) continue
    const [first, second] = extensions.map(extension => `${folder}/${name}.${extension}`)
    throw new StartError('PLINTH_CONFIG_INVALID', `${second}: is not read, because ${first} exists; remove one of them`)
  }
}

const names: readonly string[] = configNames
