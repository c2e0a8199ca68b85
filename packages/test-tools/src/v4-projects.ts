// A v4 project that a test writes into a folder of its own.

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Test } from 'tap'

/** Texts of files by their paths. */
export type Texts = Readonly<Record<string, string>>

/** Writes the files; the folder is removed after the test. */
export async function written(t: Test, files: Texts): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'plinth-v4-'))
  t.teardown(() => rm(dir, { recursive: true, force: true }))
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(dir, path)), { recursive: true })
    await writeFile(join(dir, path), text)
  }
  return dir
}

/** A schema as v4 writes it. */
export const schema = (singularName: string, more: object = {}): string =>
  JSON.stringify({
    kind: 'collectionType',
    collectionName: `${singularName}_rows`,
    info: { singularName, pluralName: `${singularName}s`, displayName: singularName },
    options: {},
    attributes: { title: { type: 'string' } },
    ...more,
  })

const factory = (name: string, uid: string) =>
  `'use strict';\nmodule.exports = require('@strapi/strapi').factories.createCore${name}('${uid}');\n`

/** The files that v4's generator writes for a type. */
export function generated(name: string, more: object = {}): Texts {
  const uid = `api::${name}.${name}`
  const folder = `src/api/${name}`
  return {
    [`${folder}/content-types/${name}/schema.json`]: schema(name, more),
    [`${folder}/controllers/${name}.js`]: factory('Controller', uid),
    [`${folder}/routes/${name}.js`]: factory('Router', uid),
    [`${folder}/services/${name}.js`]: factory('Service', uid),
  }
}
