// `plinth token create|list|revoke`. The commands open the application without a server.

import { ApplicationError, type CommandGroup, type CommandTools, type Kernel, ValidationError } from '@plinth/kernel'
import type { TokenManager, TokenView } from './manager.ts'
import { tokenType } from './types.ts'

/** Finds the tokens of a kernel. */
type Find = (kernel: Kernel) => TokenManager

/** The commands; `find` is given, because the plugin knows which tokens belong to which kernel. */
export function tokenCommands(find: Find): CommandGroup {
  const withTable =
    (work: (tokens: TokenManager, tools: CommandTools) => Promise<void>) => async (tools: CommandTools) => {
      await refuseWithoutTable(tools.kernel)
      await work(find(tools.kernel), tools)
    }
  return {
    description: 'API tokens of the application',
    commands: {
      create: {
        description: 'make a token and print its key, which is not shown again',
        words: ['name'],
        options: {
          type: { type: 'string', description: 'read-only (the default), full-access or custom' },
          actions: { type: 'string', description: 'the actions of a custom token, between commas; * ends a pattern' },
          days: {
            type: 'string',
            description: 'the days until it expires: 7, 30 or 90; without it, it does not expire',
          },
          description: { type: 'string', description: 'what the token is for' },
        },
        examples: [
          'plinth token create site                      # may read everything',
          'plinth token create shop --type custom --actions "api::order.order.*" --days 30',
        ],
        run: withTable(create),
      },
      list: {
        description: 'print the tokens, without their keys',
        options: { json: { type: 'boolean', description: 'print JSON' } },
        examples: ['plinth token list --json'],
        run: withTable(list),
      },
      revoke: {
        description: 'delete a token; running servers refuse its key within five seconds',
        words: ['name or id'],
        examples: ['plinth token revoke site'],
        run: withTable(revoke),
      },
    },
  }
}

async function create(tokens: TokenManager, { words, options, print, remark }: CommandTools): Promise<void> {
  const { actions, days, type, description } = options
  if (type === 'custom' && actions === undefined)
    throw new ValidationError(
      '--actions is missing: a custom token needs its actions, such as --actions api::article.article.find',
    )
  const token = await tokens.create({
    name: wordOf(words, 'the name of the token'),
    ...(type !== undefined && { type }),
    ...(description !== undefined && { description }),
    ...(days !== undefined && { lifespan: lifespanOf(String(days)) }),
    ...(actions !== undefined && {
      permissions: String(actions)
        .split(',')
        .map(one => one.trim()),
    }),
  })
  remark(`Made the token "${token.name}" (${token.type}${untilOf(token)}). This is its key, which is not shown again:`)
  print(token.accessKey)
}

async function list(tokens: TokenManager, { options, print, remark }: CommandTools): Promise<void> {
  const all = await tokens.list()
  if (options.json === true) print(JSON.stringify(all, null, 2))
  else if (all.length === 0) remark('There are no tokens; `plinth token create <name>` makes one.')
  else for (const line of linesOf(all)) print(line)
}

async function revoke(tokens: TokenManager, { words, print }: CommandTools): Promise<void> {
  const word = wordOf(words, 'the name or the id of the token')
  const all = await tokens.list()
  const token = all.find(one => one.name === word) ?? all.find(one => String(one.id) === word)
  if (token === undefined) {
    const names = all.map(one => `"${plain(one.name)}"`).join(', ')
    throw new ApplicationError(
      `There is no token "${plain(word)}"; ${names === '' ? 'there are none' : `the tokens are ${names}`}`,
    )
  }
  await tokens.revoke(token.id)
  print(`Revoked the token "${plain(token.name)}"; running servers refuse its key within five seconds.`)
}

/** The one word that a command takes. */
function wordOf(words: readonly string[], what: string): string {
  const [word, ...more] = words
  if (word === undefined) throw new ValidationError(`${what} is missing`)
  if (more.length > 0) throw new ValidationError(`"${more.join(' ')}" is too much: ${what} is one word, or in quotes`)
  return word
}

/** Returns days in milliseconds. What is not a number of days stays a text, which is refused with the possible values. */
function lifespanOf(days: string): number {
  if (!/^(?:7|30|90)$/.test(days)) throw new ValidationError(`--days must be 7, 30 or 90, found "${plain(days)}"`)
  return Number(days) * 86_400_000
}

const untilOf = ({ expiresAt }: TokenView) => (expiresAt === null ? '' : `, expires ${expiresAt}`)

/** A table of the tokens. */
function linesOf(tokens: readonly TokenView[]): string[] {
  const rows = tokens.map(one => [
    String(one.id),
    plain(one.name),
    one.type,
    one.lastUsedAt ?? 'never',
    one.expiresAt ?? 'never',
    one.permissions.map(plain).join(', '),
  ])
  const all = [['id', 'name', 'type', 'last used', 'expires', 'actions'], ...rows]
  const widths = all[0]!.map((_, i) => Math.max(...all.map(row => row[i]!.length)))
  return all.map(row =>
    row
      .map((cell, i) => cell.padEnd(widths[i]!))
      .join('  ')
      .trimEnd(),
  )
}

/** A text without control characters, which would act in a terminal. */
const plain = (text: string) => text.replaceAll(/\p{Cc}/gu, '?')

async function refuseWithoutTable({ knex }: Kernel): Promise<void> {
  const table = tokenType.collectionName
  if (await knex.schema.hasTable(table)) return
  throw new ApplicationError(
    `The database has no table ${table}; start the server once, or run \`plinth migrate apply\``,
  )
}
