// Writes generated files, and never over existing ones.

import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Failure } from '../failure.ts'

/** Throws Failure if something has this path already. */
export function checkFree(dir: string, path: string): void {
  if (existsSync(join(dir, path))) throw new Failure(`${path} exists already, and is not changed`)
}

/** Writes a new file and prints its path. Throws Failure if it exists. */
export async function writeNew(dir: string, path: string, text: string): Promise<void> {
  checkFree(dir, path)
  await mkdir(dirname(join(dir, path)), { recursive: true })
  // The flag refuses a file that another program has made since.
  await writeFile(join(dir, path), text, { flag: 'wx' })
  console.log(path)
}

export const jsonText = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`
