// The fixtures of tests of the kernel and of databases: short schemas, temporary folders, and the error of a call.
// Knows no kernel.

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Test } from 'tap'

/** The attributes of a schema, by their names. */
export type Attributes = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/** `api::tag.tag` for `tag`. */
export const uid = (name: string): string => `api::${name}.${name}`

/** A content type; its table and plural are the name with an s. */
export function type(name: string, attributes: Attributes, more: Readonly<Record<string, unknown>> = {}) {
  const info = { singularName: name, pluralName: `${name}s`, displayName: name }
  return { uid: uid(name), kind: 'collectionType', collectionName: `${name}s`, info, ...more, attributes }
}

/** A component; its table is named like v4's. */
export function component(key: string, attributes: Attributes) {
  return { collectionName: `components_${key.replace('.', '_')}s`, info: { displayName: key }, attributes }
}

/** Makes an empty folder, which is removed when the test ends. */
export async function temporary(t: Test): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'plinth-test-'))
  t.teardown(() => rm(path, { recursive: true, force: true }))
  return path
}

/** Makes a folder with these files; objects are written as JSON. It is removed when the test ends. */
export async function folder(t: Test, files: Readonly<Record<string, unknown>>): Promise<string> {
  const path = await temporary(t)
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(path, name)), { recursive: true })
    await writeFile(join(path, name), typeof content === 'string' ? content : JSON.stringify(content))
  }
  return path
}

/** Returns what `work` throws; fails the test if it throws nothing. */
export async function thrown(t: Test, work: () => unknown): Promise<Error & Record<string, unknown>> {
  try {
    await work()
  } catch (error) {
    return error as Error & Record<string, unknown>
  }
  t.fail('should throw')
  return new Error('nothing was thrown') as Error & Record<string, unknown>
}
