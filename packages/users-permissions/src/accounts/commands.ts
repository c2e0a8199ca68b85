// `plinth user create`: how the first editor comes into being. The command opens the application without a server, so
// roles that config/plugins declares may have to be made first.

import {
  ApplicationError,
  type CommandGroup,
  type CommandTools,
  type FieldError,
  type Kernel,
  ValidationError,
} from '@plinth/kernel'
import { administratorCommand } from './administrator-command.ts'
import type { AccountConfig } from './config.ts'
import { managingCommands, newPassword, roleOf } from './managing-commands.ts'
import { readStored, resolveAdvanced } from './settings.ts'
import { userUid } from './user-type.ts'
import { Users } from './users.ts'

/** The roles of a first start and those that the settings declare. */
interface DeclaredRoles {
  /** Makes those that are not there, as a start does. */
  readonly make: (tools: CommandTools) => Promise<void>
  /** Returns the types of all roles that there are then, and makes none. */
  readonly types: (tools: CommandTools) => Promise<readonly string[]>
}

/** The commands; `roles` are given, because accounts do not know how roles are declared. */
export function userCommands(roles: DeclaredRoles): CommandGroup {
  const prepare = async (tools: CommandTools) => {
    await refuseWithoutTable(tools.kernel)
    await roles.make(tools)
  }
  const look = async (tools: CommandTools) => {
    await refuseWithoutTable(tools.kernel)
    return roles.types(tools)
  }
  return {
    description: 'users of the application',
    commands: {
      create: {
        description: 'make a user and print its password, which is not shown again',
        words: ['username'],
        options: {
          email: { type: 'string', description: 'the address of the user' },
          role: { type: 'string', description: 'the type of the role, such as editor; by default that of new users' },
        },
        examples: ['plinth user create ann --email ann@example.org --role authenticated'],
        async run(tools) {
          await prepare(tools)
          await create(tools)
        },
      },
      'from-admins': administratorCommand(prepare, look),
      ...managingCommands(prepare, look),
    },
  }
}

async function create({ kernel, config, words, options, print, remark }: CommandTools): Promise<void> {
  const [username, ...more] = words
  if (username === undefined) throw new ValidationError('the username is missing')
  if (more.length > 0) throw new ValidationError(`"${more.join(' ')}" is too much: the username is one word`)
  if (options.email === undefined) throw new ValidationError('--email is missing')
  const { advanced } = config as AccountConfig
  const { defaultRole } = resolveAdvanced(advanced, await readStored(kernel, 'advanced'))
  const type = options.role === undefined ? defaultRole : String(options.role)
  const role = await roleOf(kernel, type)
  const password = newPassword()
  const email = String(options.email)
  if (await new Users(kernel, { userPopulate: {} }).hasNames(email, username))
    throw new ApplicationError('Email or Username are already taken')
  const data = { username, email, password, provider: 'local', confirmed: true, blocked: false, role }
  const user = await kernel
    .query(userUid)
    .create({ data, fields: ['username'] })
    .catch(nameFaults)
  remark(`Made the user "${user.username}" (${type}). This is the password, which is not shown again:`)
  print(password)
}

/** Says what is wrong with which attribute. */
function nameFaults(error: unknown): never {
  const errors = error instanceof ValidationError ? ((error.details?.errors ?? []) as readonly FieldError[]) : []
  if (errors.length === 0) throw error
  throw new ValidationError(errors.map(({ path, message }) => faultText(path.join('.'), message)).join('; '))
}

/** Messages of most faults begin with the attribute. */
const faultText = (name: string, message: string) => (message.startsWith(`${name} `) ? message : `${name}: ${message}`)

async function refuseWithoutTable(kernel: Kernel): Promise<void> {
  const { table } = kernel.contentTypes.require(userUid)
  if (await kernel.knex.schema.hasTable(table)) return
  throw new ApplicationError(
    `The database has no table ${table}; start the server once, or run \`plinth migrate apply\``,
  )
}
