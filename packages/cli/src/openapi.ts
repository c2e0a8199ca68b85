// `plinth openapi`: the OpenAPI document of an application, as its server has it.

import { resolve } from 'node:path'
import { defineCommand } from '#citty'
import { Failure } from './failure.ts'
import { withMounted } from './mounted.ts'
import { dirOption, folderOf } from './open.ts'
import { hasText, writeText } from './types-file.ts'
import { withExamples } from './usage.ts'

export const openapi = withExamples(
  defineCommand({
    meta: { name: 'openapi', description: 'print the OpenAPI document of the application' },
    args: {
      dir: dirOption,
      out: { type: 'string', description: 'write a file instead', valueHint: 'path' },
      check: { type: 'boolean', description: 'write nothing, and fail if the file of --out is stale' },
    },
    async run({ args: { dir, out, check } }) {
      if (check && out === undefined) throw new Failure('--check is for the file of --out')
      const text = await documentOf(folderOf(dir))
      if (out === undefined) console.log(text.trimEnd())
      else if (!check) console.log((await writeText(resolve(out), text)) ? `Wrote ${out}` : `${out} is up to date`)
      else if (await hasText(resolve(out), text)) console.log(`${out} is up to date`)
      else throw new Failure(`${out} is stale: plinth openapi --out ${out} writes it`)
    },
  }),
  [
    'plinth openapi > openapi.json',
    'plinth openapi --out openapi.json',
    'plinth openapi --out openapi.json --check    # for CI: fails if the file is stale',
  ],
)

/** The text of the document. Throws Failure if no plugin makes one. */
async function documentOf(dir: string): Promise<string> {
  return withMounted({ dir, command: 'plinth openapi' }, async ({ kernel }) => {
    // Provided by @plinth/openapi, which this package does not need.
    const make = kernel.services.find('openapi', 'document') as (() => object) | null
    if (make === null)
      throw new Failure(
        'plinth openapi needs the plugin openapi: npm install @plinth/openapi, and `openapi: true` in config/plugins',
      )
    return `${JSON.stringify(make(), null, 2)}\n`
  })
}
