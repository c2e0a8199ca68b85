// The schema files of the applications are valid against the JSON schemas that are written for editors.

import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import draftPublish from '@plinth/draft-publish'
import i18n from '@plinth/i18n'
import { freezeModel, type Kernel, loadModel } from '@plinth/kernel'
import passwords from '@plinth/passwords'
import { writeFileSchemas } from '@plinth/types'
import { Ajv } from 'ajv'
import t from 'tap'

const root = join(import.meta.dirname, '..')

t.test('the files of applications are valid', async t => {
  for (const dir of ['apps/example', 'contract/app']) {
    const files = await loadModel(join(root, dir), { runs: false, warn: () => {} })
    let kernel: Kernel | undefined
    await freezeModel({
      configure(one) {
        kernel = one
      },
      plugins: {
        'draft-publish': { plugin: draftPublish },
        i18n: { plugin: i18n },
        passwords: { plugin: passwords },
      },
      contentTypes: files.contentTypes.map(one => ({ ...(one.schema as object), uid: one.uid })) as never,
      components: Object.fromEntries(files.components.map(one => [one.uid, one.schema])) as never,
    })
    const schemas = writeFileSchemas(kernel!)
    const [contentType, component] = [schemas.contentType, schemas.component].map(text =>
      new Ajv({ allErrors: true, strictTypes: false, strictRequired: false }).compile(JSON.parse(text)),
    )
    const read = (pattern: string) => globSync(pattern, { cwd: join(root, dir, 'src') })
    const contentTypeFiles = read('api/*/content-types/*/schema.json')
    const componentFiles = read('components/*/*.json')
    t.ok(contentTypeFiles.length > 5 && componentFiles.length > 5)
    for (const [names, validate] of [
      [contentTypeFiles, contentType],
      [componentFiles, component],
    ] as const)
      for (const name of names) {
        validate!(JSON.parse(readFileSync(join(root, dir, 'src', name), 'utf8')))
        t.equal(validate!.errors, null, name)
      }
  }
})
