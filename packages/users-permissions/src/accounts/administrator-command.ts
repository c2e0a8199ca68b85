// `plinth user from-admins`: administrators of v4's panel receive accounts with their own passwords. What becomes of each
// is listed before anything is written.

import {
  ApplicationError,
  type Command,
  type CommandTools,
  type Kernel,
  PlinthError,
  type ScalarAttribute,
  ValidationError,
} from '@plinth/kernel'
import { type Candidate, findCandidates } from './administrators.ts'
import { columnsText, plain } from './command-text.ts'
import { checkRole, type Look, type Prepare, roleOf } from './managing-commands.ts'
import { userUid } from './user-type.ts'
import { Users } from './users.ts'

/** The command; `prepare` is called first, or `look` if nothing is to be written. */
export function administratorCommand(prepare: Prepare, look: Look): Command {
  return {
    description:
      "give administrators of v4's panel accounts with their own passwords; they are listed, without --write",
    options: {
      role: { type: 'string', description: 'the type of the role that they get, such as editor', valueHint: 'type' },
      of: { type: 'string', description: 'only those with a role in v4, such as strapi-author', valueHint: 'code' },
      write: { type: 'boolean', description: 'make the accounts' },
    },
    examples: [
      'plinth user from-admins --role editor',
      'plinth user from-admins --of strapi-author --role author --write',
    ],
    async run(tools) {
      if (tools.options.write === true) await prepare(tools)
      await giveAccounts(tools, await look(tools))
    },
  }
}

async function giveAccounts(
  { kernel, words, options, print, remark }: CommandTools,
  types: readonly string[],
): Promise<void> {
  if (words.length > 0) throw new ValidationError(`"${plain(words.join(' '))}" is too much`)
  if (options.role === undefined) throw new ValidationError('--role is missing, such as --role editor')
  const type = String(options.role)
  checkRole(type, types)
  await refuseWithoutColumns(kernel)
  const users = new Users(kernel, { userPopulate: {} })
  const candidates = await findCandidates(kernel, users, options.of === undefined ? null : String(options.of))
  if (candidates.length === 0) return remark('There are no such administrators.')
  for (const line of linesOf(candidates, type)) print(line)
  const accepted = candidates.filter(isAccepted)
  if (accepted.length === 0) return remark('None of them can get an account, so nothing is written.')
  if (options.write !== true)
    return remark(`Nothing is written. The same command with --write makes ${accountsText(accepted.length)}.`)
  const role = await roleOf(kernel, type)
  await kernel.transaction(async () => {
    for (const candidate of accepted) await giveAccount(users, candidate, role)
  })
  remark(`Made ${accountsText(accepted.length)}: they log in by address and password, as in v4's panel.`)
}

/** An administrator who gets an account. */
type AcceptedCandidate = Candidate & { readonly hash: string }

const isAccepted = (candidate: Candidate): candidate is AcceptedCandidate => candidate.hash !== null

/** Makes an account. Throws a fault with the address of the administrator, so that everybody knows whose it is. */
async function giveAccount(users: Users, { email, username, hash }: AcceptedCandidate, role: number): Promise<void> {
  try {
    const id = await users.create({ username, email, provider: 'local', confirmed: true, blocked: false, role })
    await users.takeHash(id, hash)
  } catch (error) {
    if (!(error instanceof PlinthError) || error.status >= 500) throw error
    throw new ApplicationError(`${plain(email)}: ${error.message}; no account was made`)
  }
}

const accountsText = (count: number) => (count === 1 ? '1 account' : `${count} accounts`)

function linesOf(candidates: readonly Candidate[], type: string): readonly string[] {
  const rows = candidates.map(({ email, username, roles, reason }) => [
    plain(email),
    plain(username),
    plain(roles.join(', ')),
    reason === null ? `gets the role ${plain(type)}` : `left out: ${reason}`,
  ])
  return columnsText([['email', 'username', 'in v4', 'account'], ...rows])
}

/** A database of v4 has a table of users, and the columns that v4 does not have after a start. */
async function refuseWithoutColumns({ contentTypes, knex }: Kernel): Promise<void> {
  const { table, attributes } = contentTypes.require(userUid)
  const { column } = attributes.get('tokensValidFrom') as ScalarAttribute
  if (await knex.schema.hasColumn(table, column)) return
  throw new ApplicationError(
    `The table ${table} has no column ${column}; start the server once, or run \`plinth migrate apply\``,
  )
}
