// Writes a file of a bundle in one step, and only if its content differs: servers may start from the same working copy
// meanwhile. JavaScript, because it runs before the version of Node that the workspace uses is installed.

import { readFile, rename, writeFile } from 'node:fs/promises'

export async function replaceFile(path, text) {
  const current = await readFile(path, 'utf8').catch(() => null)
  if (text === current) return
  const temporary = `${path}.${process.pid}`
  await writeFile(temporary, text)
  await rename(temporary, path)
}
