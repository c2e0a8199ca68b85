// Keeps the file of types and the JSON schemas beside an application: compares and replaces their texts. Does not know what
// the texts say.

import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { findPlugins, type Kernel, redactText } from '@plinth/kernel'
import { hasTypes, loadTypes } from './types-package.ts'

/** The file that is written if no other is named, in the folder of the application. */
export const usualFile = 'types/content.d.ts'

/** The JSON schemas of content types and components, in the folder of the application. */
export const schemaFiles = { contentType: 'types/content-type.schema.json', component: 'types/component.schema.json' }

/** A file that is written: its path in the folder of the application, and its text. */
export interface WrittenFile {
  readonly path: string
  readonly text: string
}

/** The file of types and the JSON schemas of an application. Throws Failure without @plinth/types. */
export async function filesOf(kernel: Kernel, dir: string, command: string): Promise<readonly WrittenFile[]> {
  const { describeModel, describeSettings, writeFileSchemas, writeTypes } = await loadTypes(command)
  const schemas = writeFileSchemas(kernel)
  return [
    { path: usualFile, text: writeTypes(describeModel(kernel), describeSettings(await findPlugins(dir))) },
    { path: schemaFiles.contentType, text: schemas.contentType },
    { path: schemaFiles.component, text: schemas.component },
  ]
}

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
 * Keeps the usual files up to date for an application that has the package @plinth/types. What prevents it is printed and
 * does not end the server.
 */
export async function keepTypes(kernel: Kernel, dir: string): Promise<void> {
  if (!hasTypes()) return
  try {
    for (const { path, text } of await filesOf(kernel, dir, 'plinth dev')) await writeText(join(dir, path), text)
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
