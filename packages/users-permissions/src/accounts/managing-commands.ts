// `plinth user list | show | role | block | unblock | password`: users that exist, for whoever has the database. A running
// server checks a user again within five seconds.

import { randomBytes } from 'node:crypto'
import {
  ApplicationError,
  type Command,
  type CommandTools,
  type Entry,
  type Kernel,
  ValidationError,
} from '@plinth/kernel'
import { columnsText, plain } from './command-text.ts'
import { normalizeEmail } from './names.ts'
import { roleUid, userUid } from './user-type.ts'

/** Prepares the database, without which there are no users, and makes the roles of a start. */
export type Prepare = (tools: CommandTools) => Promise<void>

/** Returns the types of the roles, and changes nothing: for commands that only look. */
export type Look = (tools: CommandTools) => Promise<readonly string[]>

const who = ['username, email or id']

/** The commands; `prepare` is called first, or `look`. */
export function managingCommands(prepare: Prepare, look: Look): Readonly<Record<string, Command>> {
  const prepared = (work: (tools: CommandTools) => Promise<void>) => async (tools: CommandTools) => {
    await prepare(tools)
    await work(tools)
  }
  return {
    list: {
      description: 'print the users',
      options: {
        role: { type: 'string', description: 'only those of a role, by its type', valueHint: 'type' },
        json: { type: 'boolean', description: 'print JSON' },
      },
      examples: ['plinth user list --role editor'],
      run: async tools => list(tools, await look(tools)),
    },
    show: {
      description: 'print a user as JSON, without secrets',
      words: who,
      examples: ['plinth user show ann@example.org'],
      async run(tools) {
        await look(tools)
        await show(tools)
      },
    },
    role: {
      description: 'give a user another role',
      words: [...who, 'type of the role'],
      examples: ['plinth user role ann editor'],
      run: prepared(giveRole),
    },
    block: {
      description: 'lock a user out: logins and tokens are refused',
      words: who,
      examples: ['plinth user block ann'],
      run: prepared(tools => setBlocked(tools, true)),
    },
    unblock: {
      description: 'let a blocked user in again',
      words: who,
      examples: ['plinth user unblock ann'],
      run: prepared(tools => setBlocked(tools, false)),
    },
    password: {
      description: 'give a user a new password and print it, which is not shown again; earlier tokens end',
      words: who,
      examples: ['plinth user password ann'],
      run: prepared(givePassword),
    },
  }
}

/** The query of the attributes that commands show of users: none of them is secret. */
const userQuery = {
  fields: ['username', 'email', 'provider', 'confirmed', 'blocked', 'createdAt', 'updatedAt'],
  populate: { role: { fields: ['type', 'name'] } },
} as const

const soon = 'running servers know it within five seconds'

async function list({ kernel, options, print, remark }: CommandTools, types: readonly string[]): Promise<void> {
  const type = options.role === undefined ? null : String(options.role)
  if (type !== null) checkRole(type, types)
  const filters = type === null ? {} : { role: { type } }
  const users = await kernel.query(userUid).findMany({ ...userQuery, filters, sort: 'id' })
  if (options.json === true) print(JSON.stringify(users, null, 2))
  else if (users.length === 0) remark('There are no such users; `plinth user create <username>` makes one.')
  else for (const line of linesOf(users)) print(line)
}

async function show({ kernel, words, print }: CommandTools): Promise<void> {
  const [name] = exactly(words, 1)
  print(JSON.stringify(await userOf(kernel, name!), null, 2))
}

async function giveRole({ kernel, words, print }: CommandTools): Promise<void> {
  const [name, type] = exactly(words, 2)
  const user = await userOf(kernel, name!)
  const role = await roleOf(kernel, type!)
  await kernel.query(userUid).update(user.id, { data: { role }, fields: ['id'] })
  print(`${titleOf(user)} has the role ${plain(type!)}; ${soon}.`)
}

async function setBlocked({ kernel, words, print }: CommandTools, blocked: boolean): Promise<void> {
  const [name] = exactly(words, 1)
  const user = await userOf(kernel, name!)
  await kernel.query(userUid).update(user.id, { data: { blocked }, fields: ['id'] })
  print(`${titleOf(user)} is ${blocked ? 'blocked' : 'not blocked'}; ${soon}.`)
}

async function givePassword({ kernel, words, print, remark }: CommandTools): Promise<void> {
  const [name] = exactly(words, 1)
  const user = await userOf(kernel, name!)
  const provider = user.provider ?? 'local'
  if (provider !== 'local')
    throw new ApplicationError(`${titleOf(user)} logs in by ${plain(String(provider))}, and has no password here`)
  const password = newPassword()
  await kernel.query(userUid).update(user.id, { data: { password }, fields: ['id'] })
  remark(`${titleOf(user)} has a new password, which is not shown again; earlier tokens end:`)
  print(password)
}

/** A password that nobody guesses. */
export const newPassword = (): string => randomBytes(18).toString('base64url')

/** The user with this username, address or id. Throws ApplicationError if there is none, or if several have the address. */
async function userOf(kernel: Kernel, name: string): Promise<Entry> {
  const users = kernel.query(userUid)
  const matches = await users.findMany({
    ...userQuery,
    filters: { $or: [{ username: name }, { email: normalizeEmail(name) }] },
  })
  const exact = matches.find(one => one.username === name)
  if (exact !== undefined) return exact
  if (matches.length > 1) {
    const ids = matches.map(one => `${one.id} (${plain(String(one.provider ?? 'local'))})`).join(', ')
    throw new ApplicationError(`Several users have the address ${plain(name)}; name one by its id: ${ids}`)
  }
  const user = matches[0] ?? (/^\d{1,15}$/.test(name) ? await users.findOne(Number(name), userQuery) : null)
  if (user === null) throw new ApplicationError(`There is no user "${plain(name)}"; \`plinth user list\` prints them`)
  return user
}

/** The id of the role of this type. Throws ApplicationError, which names the roles, if there is none. */
export async function roleOf(kernel: Kernel, type: string): Promise<number> {
  const roles = await kernel.query(roleUid).findMany({ fields: ['type'], sort: 'id' })
  const match = roles.find(role => role.type === type)
  if (match !== undefined) return match.id
  throw noRole(
    type,
    roles.map(role => String(role.type)),
  )
}

/** Throws ApplicationError, which names the roles, if none of these types is this one. */
export function checkRole(type: string, types: readonly string[]): void {
  if (!types.includes(type)) throw noRole(type, types)
}

const noRole = (type: string, types: readonly string[]) =>
  new ApplicationError(`There is no role "${plain(type)}"; the roles are ${types.map(plain).join(', ')}`)

/** Returns the words of a command. Throws ValidationError if their number is another one. */
function exactly(words: readonly string[], count: number): readonly string[] {
  if (words.length === 0) throw new ValidationError('the username, email or id is missing')
  if (words.length < count) throw new ValidationError('the type of the role is missing')
  if (words.length > count) throw new ValidationError(`"${plain(words.slice(count).join(' '))}" is too much`)
  return words
}

const titleOf = ({ username }: Entry) => `The user "${plain(String(username))}"`

function linesOf(users: readonly Entry[]): string[] {
  const rows = users.map(one => [
    String(one.id),
    plain(String(one.username)),
    plain(String(one.email)),
    plain(String((one.role as Entry | null)?.type ?? '')),
    one.blocked === true ? 'blocked' : one.confirmed === true ? 'yes' : 'not confirmed',
    plain(String(one.provider ?? 'local')),
  ])
  return columnsText([['id', 'username', 'email', 'role', 'may log in', 'by'], ...rows])
}
