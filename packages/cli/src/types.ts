// `plinth types`: writes the TypeScript types of an application's content, from its files or from a running server.

import { join, resolve } from 'node:path'
import { defineCommand } from '#citty'
import { Failure } from './failure.ts'
import { modelFrom } from './model-request.ts'
import { dirOption, folderOf, withKernel } from './open.ts'
import { commandText } from './transfer/command-text.ts'
import { filesOf, hasText, usualFile, type WrittenFile, writeText } from './types-file.ts'
import { loadTypes } from './types-package.ts'
import { withExamples } from './usage.ts'

export const types = withExamples(
  defineCommand({
    meta: {
      name: 'types',
      alias: 'ts:generate-types',
      description:
        'write the TypeScript types of the content types, for queries and for front ends, and JSON schemas for editors',
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
      await loadTypes('plinth types')
      if (url === undefined && args.token !== undefined) throw new Failure('--token is for --url')
      const files = url === undefined ? await filesIn(folderOf(dir)) : [await typesFrom(url, token)]
      const folder = url === undefined ? folderOf(dir) : '.'
      // Another file is for a front end, which has no schemas.
      for (const { path, text } of out === undefined ? files : files.slice(0, 1))
        await (args.check ? check : write)(out === undefined ? join(folder, path) : resolve(out), text, {
          name: out ?? path,
          // Without the token.
          command: commandText('types', { url, out }),
        })
    },
  }),
  [
    `plinth types                          # writes ${usualFile}, and JSON schemas beside it`,
    'plinth types --check                  # for CI: fails if the file is stale',
    'plinth types --url https://cms.example.com --token … --out src/content.d.ts',
  ],
)

async function filesIn(dir: string): Promise<readonly WrittenFile[]> {
  return withKernel(dir, kernel => filesOf(kernel, dir, 'plinth types'))
}

/** The file of the types of a server, which does not tell the settings of its plugins. */
async function typesFrom(url: string, token: string | undefined): Promise<WrittenFile> {
  const { writeTypes } = await loadTypes('plinth types')
  return { path: usualFile, text: writeTypes(await modelFrom(url, token)) }
}

/** The name of a file and the command that writes it, for messages. */
interface FileLabel {
  readonly name: string
  readonly command: string
}

async function check(file: string, text: string, { name, command }: FileLabel): Promise<void> {
  if (!(await hasText(file, text))) throw new Failure(`${name} is stale: ${command} writes it`)
  console.log(`${name} is up to date`)
}

async function write(file: string, text: string, { name }: FileLabel): Promise<void> {
  console.log((await writeText(file, text)) ? `Wrote ${name}` : `${name} is up to date`)
}
