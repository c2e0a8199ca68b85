// Keeps the file of types beside an application: compares and replaces its text. Does not know what the text says.

import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { findPlugins, type Kernel, redactText } from '@plinth/kernel'
import { hasTypes, loadTypes } from './types-package.ts'

/** The file that is written if no other is named, in the folder of the application. */
export const usualFile = 'types/content.d.ts'

/** Returns whether the file has this text. Line breaks may be those of Windows, which git makes there. */
export async function hasText(file: string, text: string): Promise<boolean> {
  return (await textOf(file))?.replaceAll('\r\n', '\n') === text
}

/** Writes the file if its text differs, so that no watcher sees a change where there is none. Returns whether it did. */
export async function writeText(file: string, text: string): Promise<boolean> {
  if (await hasText(file, text)) return false
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, text)
  return true
}

/**
 * Keeps the usual file up to date for an application that has the package @plinth/types. What prevents it is printed and
 * does not end the server.
 */
export async function keepTypes(kernel: Kernel, dir: string): Promise<void> {
  if (!hasTypes()) return
  try {
    const { describeModel, describeSettings, writeTypes } = await loadTypes('plinth dev')
    const settings = describeSettings(await findPlugins(dir))
    await writeText(join(dir, usualFile), writeTypes(describeModel(kernel), settings))
  } catch (error) {
    console.error(`plinth: ${usualFile} is not up to date: ${redactText((error as Error).message)}`)
  }
}

async function textOf(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}
