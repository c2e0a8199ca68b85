// `plinth types`: writes the TypeScript types of an application's content, from its files or from a running server.

import { join, resolve } from 'node:path'
import { findPlugins } from '@plinth/kernel'
import { defineCommand } from '#citty'
import { Failure } from './failure.ts'
import { modelFrom } from './model-request.ts'
import { dirOption, folderOf, withKernel } from './open.ts'
import { hasText, usualFile, writeText } from './types-file.ts'
import { loadTypes } from './types-package.ts'
import { withExamples } from './usage.ts'

export const types = withExamples(
  defineCommand({
    meta: {
      name: 'types',
      alias: 'ts:generate-types',
      description: 'write the TypeScript types of the content types, for queries and for front ends',
    },
    args: {
      dir: dirOption,
      out: { type: 'string', description: `the file, instead of ${usualFile}`, valueHint: 'path' },
      check: { type: 'boolean', description: 'write nothing, and fail if the file is stale' },
      url: { type: 'string', description: 'read the model from a running server', valueHint: 'address' },
      token: {
        type: 'string',
        description: 'the API token for the server, instead of PLINTH_TOKEN',
        valueHint: 'token',
      },
    },
    async run({ args }) {
      const { dir, out, url, token = process.env.PLINTH_TOKEN } = args
      const { describeModel, describeSettings, writeTypes } = await loadTypes('plinth types')
      if (url === undefined && args.token !== undefined) throw new Failure('--token is for --url')
      const model =
        url === undefined ? await withKernel(dir, async kernel => describeModel(kernel)) : await modelFrom(url, token)
      // A server does not tell the settings of its plugins.
      const settings = url === undefined ? describeSettings(await findPlugins(folderOf(dir))) : []
      const file = out === undefined ? join(url === undefined ? folderOf(dir) : '.', usualFile) : resolve(out)
      await (args.check ? check : write)(file, writeTypes(model, settings), out ?? usualFile)
    },
  }),
  [
    `plinth types                          # writes ${usualFile}`,
    'plinth types --check                  # for CI: fails if the file is stale',
    'plinth types --url https://cms.example.com --token … --out src/content.d.ts',
  ],
)

async function check(file: string, text: string, shown: string): Promise<void> {
  if (!(await hasText(file, text))) throw new Failure(`${shown} is stale: plinth types writes it`)
  console.log(`${shown} is up to date`)
}

async function write(file: string, text: string, shown: string): Promise<void> {
  console.log((await writeText(file, text)) ? `Wrote ${shown}` : `${shown} is up to date`)
}
