// Asks at a terminal for what the command line has left open. Knows no files.

import type { Readable, Writable } from 'node:stream'
import { intro, isCancel, multiselect, select, text } from '@clack/prompts'
import { type Database, defaults, type Language, type PluginName, plugins } from './choices.ts'
import type { Flags } from './flags.ts'
import { Refusal } from './refusal.ts'

/** The input of the questions. */
export interface Answers {
  readonly folder: string
  readonly language: Language
  readonly database: Database
  readonly plugins: readonly PluginName[]
}

const hints: Readonly<Record<PluginName, string>> = {
  graphql: 'a GraphQL API beside the REST API',
  'users-permissions': 'users, roles and rights; without it everybody may read and write everything',
  'api-tokens': 'tokens for programs',
  upload: 'files and pictures',
  i18n: 'translations of entries',
  'draft-publish': 'drafts that are published later',
  'custom-fields': 'custom fields of Strapi v4 plugins',
  passwords: 'attributes of the type password; users-permissions brings it',
  email: 'mails that code sends; users-permissions brings it',
  studio: 'a panel in which editors work, with the roles editor and author',
}

/**
 * The answers. With `--yes` the defaults stand for what is missing; otherwise a terminal is asked. Throws Refusal with
 * exit code 2 if something is missing and nobody can be asked, and with 1 if the person gives up.
 */
export async function answersFor(
  flags: Flags,
  terminal: Terminal = { input: process.stdin, output: process.stdout },
): Promise<Answers> {
  const missing = (['folder', 'language', 'database', 'plugins'] as const).filter(name => flags[name] === undefined)
  if (missing.length > 0 && !flags.yes && !(terminal.input.isTTY && terminal.output.isTTY)) throw nobodyToAsk(missing)
  if (missing.length === 0 || flags.yes) return { ...defaults, ...answersIn(flags) }
  intro('A new Plinth application', terminal)
  // Ctrl+D ends the input of a question, which would then never be answered.
  const ended = new AbortController()
  const onKey = (_: unknown, key?: { readonly name?: string; readonly ctrl?: boolean }) => {
    if (key?.ctrl && key.name === 'd') ended.abort()
  }
  terminal.input.on('keypress', onKey)
  const askingTerminal: AskingTerminal = { ...terminal, signal: ended.signal }
  try {
    return {
      folder: flags.folder ?? (await folder(askingTerminal)),
      language: flags.language ?? (await language(askingTerminal)),
      database: flags.database ?? (await database(askingTerminal)),
      plugins: flags.plugins ?? (await chosenPlugins(askingTerminal)),
    }
  } finally {
    terminal.input.off('keypress', onKey)
  }
}

/** The streams in which questions are asked. */
export interface Terminal {
  readonly input: Readable & { readonly isTTY?: boolean }
  readonly output: Writable & { readonly isTTY?: boolean }
}

/** A terminal while it is asked; the signal ends the question. */
interface AskingTerminal extends Terminal {
  readonly signal: AbortSignal
}

/** The members of the answers that the flags have. */
function answersIn({ folder, language, database, plugins }: Flags): Partial<Answers> {
  return {
    ...(folder !== undefined && { folder }),
    ...(language !== undefined && { language }),
    ...(database !== undefined && { database }),
    ...(plugins !== undefined && { plugins }),
  }
}

function nobodyToAsk(missing: readonly string[]): Refusal {
  const words = missing.map(name => (name === 'folder' ? 'a folder' : `--${name}`))
  return new Refusal(`there is no terminal to ask at: add ${words.join(', ')}, or --yes for the default values`, 2)
}

async function folder(terminal: AskingTerminal): Promise<string> {
  const message = 'In which folder?'
  return answerOf(await text({ ...terminal, message, placeholder: defaults.folder, defaultValue: defaults.folder }))
}

async function language(terminal: AskingTerminal): Promise<Language> {
  const options = [
    { value: 'ts' as const, label: 'TypeScript', hint: 'Node runs it as it is' },
    { value: 'js' as const, label: 'JavaScript' },
  ]
  return answerOf(
    await select<Language>({ ...terminal, message: 'In which language?', options, initialValue: defaults.language }),
  )
}

async function database(terminal: AskingTerminal): Promise<Database> {
  const options = [
    { value: 'sqlite' as const, label: 'SQLite', hint: 'a file, nothing to set up' },
    { value: 'postgres' as const, label: 'PostgreSQL' },
    { value: 'mysql' as const, label: 'MySQL or MariaDB' },
  ]
  return answerOf(
    await select<Database>({ ...terminal, message: 'Which database?', options, initialValue: defaults.database }),
  )
}

async function chosenPlugins(terminal: AskingTerminal): Promise<PluginName[]> {
  const options = plugins.map(value => ({ value, label: value, hint: hints[value] }))
  const initialValues = [...defaults.plugins]
  return answerOf(
    await multiselect<PluginName>({ ...terminal, message: 'Which plugins?', options, initialValues, required: false }),
  )
}

function answerOf<T>(answer: T): Exclude<T, symbol> {
  if (!isCancel(answer)) return answer as Exclude<T, symbol>
  throw new Refusal('nothing was made')
}
