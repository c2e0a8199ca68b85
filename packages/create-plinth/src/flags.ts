// Reads the words of the command line. Knows no terminal: what is missing stays undefined.

import { parseArgs } from 'node:util'
import { type Database, databases, type Language, languages, type PluginName, plugins } from './choices.ts'
import { unknownWord } from './nearest.ts'
import { Refusal } from './refusal.ts'

const options = {
  language: { type: 'string' },
  database: { type: 'string' },
  plugins: { type: 'string' },
  'from-v4': { type: 'string' },
  tarballs: { type: 'string' },
  install: { type: 'boolean' },
  yes: { type: 'boolean', short: 'y' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean' },
} as const

const names = [...Object.keys(options).filter(name => name !== 'install'), 'no-install'].map(name => `--${name}`)

/** The words and options of the command line. */
export interface Flags {
  readonly folder: string | undefined
  readonly language: Language | undefined
  readonly database: Database | undefined
  readonly plugins: readonly PluginName[] | undefined
  /** The folder of a Strapi v4 project. */
  readonly fromV4: string | undefined
  /** The folder with tarballs of Plinth's packages, which are used instead of those of the registry. */
  readonly tarballs: string | undefined
  readonly installs: boolean
  readonly yes: boolean
  readonly help: boolean
  readonly version: boolean
}

/** Throws Refusal with exit code 2 for words that are unknown, with the nearest known one. */
export function flagsOf(args: readonly string[]): Flags {
  const { tokens } = parseArgs({ args: [...args], options, allowPositionals: true, strict: false, tokens: true })
  for (const token of tokens) if (token.kind === 'option') checkOption(token.rawName, token.name, token.value)
  const { values, positionals } = parseArgs({
    args: [...args],
    options,
    allowPositionals: true,
    allowNegative: true,
  })
  const [folder, extra] = positionals
  if (extra !== undefined) throw new Refusal(`"${extra}" is one word too many: there is one folder`, 2)
  return {
    folder,
    language: oneOf('language', languages, values.language),
    database: oneOf('database', databases, values.database),
    plugins: listOf(values.plugins),
    fromV4: values['from-v4'],
    tarballs: values.tarballs,
    installs: values.install ?? true,
    yes: values.yes ?? false,
    help: values.help ?? false,
    version: values.version ?? false,
  }
}

function checkOption(raw: string, name: string, value: string | undefined): void {
  const option = options[(name === 'no-install' ? 'install' : name) as keyof typeof options]
  if (option === undefined) throw new Refusal(unknownWord('option', raw, names), 2)
  if (option.type === 'boolean' && value !== undefined) throw new Refusal(`${raw} takes no value`, 2)
  const isMissing = value === undefined || value === '' || value.startsWith('-')
  if (option.type === 'string' && isMissing) throw new Refusal(`${raw} needs a value`, 2)
}

function oneOf<T extends string>(what: string, words: readonly T[], word: string | undefined): T | undefined {
  if (word === undefined) return undefined
  const chosen = words.find(one => one === word)
  if (chosen === undefined) throw new Refusal(`--${what}: ${unknownWord(what, word, words)}`, 2)
  return chosen
}

/** `graphql,upload`, or `none` or `all`. */
function listOf(text: string | undefined): PluginName[] | undefined {
  if (text === undefined) return undefined
  if (text === 'none') return []
  if (text === 'all') return [...plugins]
  return text.split(',').map(word => oneOf('plugin', plugins, word.trim())!)
}

export const usage = `Starts a Plinth application in a new folder.

USAGE  npm create plinth@latest [folder] -- [options]

  --language ts|js      TypeScript, or JavaScript
  --database <name>     ${databases.join(', ')}
  --plugins <list>      of ${plugins.join(', ')}; or all, none
  --yes, -y             asks nothing: what is not given has its default value
  --from-v4 <folder>    starts from a Strapi v4 project, which is not changed
  --no-install          does not run npm install
  --tarballs <folder>   takes Plinth's packages from tarballs in this folder, for versions that are not published
  --help, -h            prints this text
  --version             prints the version

Questions are asked at a terminal only. Exit codes: 0 if the application was made, 1 if not, 2 if an option is wrong.

EXAMPLES

  npm create plinth@latest
  npm create plinth@latest library -- --database postgres --plugins graphql,upload
  npm create plinth@latest library -- --yes --language js
  npm create plinth@latest library -- --from-v4 ../old-library
`
