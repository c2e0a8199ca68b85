// Reads the administrators of v4's panel from the tables of v4, which no content type describes, and decides who of them can
// have an account: with the same password, if nobody has the address or the username. Changes nothing.

import { ApplicationError, type Kernel, type StoredTables } from '@plinth/kernel'
import { isBcryptHash } from '@plinth/passwords'
import { foldName, hasInvisible, normalizeEmail, normalizeName } from './names.ts'
import { userTable } from './user-type.ts'
import type { Users } from './users.ts'

const administratorTable = 'admin_users'

const roleTable = 'admin_roles'
const linkTable = 'admin_users_roles_links'

/** Users have no shorter names. */
const minUsernameLength = 3

/** An administrator, as v4 stores one. */
interface Administrator {
  readonly email: string
  readonly username: string | null
  readonly password: string | null
  readonly isActive: boolean
  readonly isBlocked: boolean
  /** The codes of the roles in v4's panel, such as `strapi-editor`. */
  readonly roles: readonly string[]
}

/** An administrator of v4, with the account to make. */
export interface Candidate {
  readonly email: string
  readonly username: string
  readonly roles: readonly string[]
  /** The hash by bcrypt that v4 made; null if there will be no account. */
  readonly hash: string | null
  /** The reason why there will be no account; null if there will be one. */
  readonly reason: string | null
}

/**
 * Finds the administrators in the order of v4, each with what becomes of them. `role` is the code of a role in v4's panel, to
 * which they are limited; null for all. Throws ApplicationError without the tables of v4, and for a role that v4 does not have.
 */
export async function findCandidates(kernel: Kernel, users: Users, role: string | null): Promise<readonly Candidate[]> {
  const administrators = await readAdministrators(kernel, role)
  const candidates: Candidate[] = []
  const takenNames = new Set<string>()
  for (const one of administrators) {
    const candidate = await candidateOf(one, users, takenNames)
    if (candidate.reason === null) for (const name of namesOf(candidate)) takenNames.add(name)
    candidates.push(candidate)
  }
  return candidates
}

/** `takenNames` has the names of those who will have accounts before this one. */
async function candidateOf(
  administrator: Administrator,
  users: Users,
  takenNames: ReadonlySet<string>,
): Promise<Candidate> {
  const { roles, password } = administrator
  const email = normalizeEmail(administrator.email)
  const username = usernameOf(administrator.username, email)
  const candidate = { email, username, roles, hash: null, reason: null }
  if (administrator.isBlocked) return { ...candidate, reason: 'blocked in v4' }
  if (!administrator.isActive) return { ...candidate, reason: 'not active in v4' }
  if (password === null || !isBcryptHash(password)) return { ...candidate, reason: 'has no password in v4' }
  if (namesOf(candidate).some(name => takenNames.has(name)) || (await users.hasNames(email, username)))
    return { ...candidate, reason: 'the address or the username is taken' }
  return { ...candidate, hash: password }
}

const namesOf = ({ email, username }: Pick<Candidate, 'email' | 'username'>) => [foldName(email), foldName(username)]

/** The username in v4's panel, where most have none: else the address, which nobody else has. */
function usernameOf(stored: string | null, email: string): string {
  const username = normalizeName(stored ?? '')
  return username.length < minUsernameLength || hasInvisible(username) ? email : username
}

async function readAdministrators({ knex }: Kernel, role: string | null): Promise<readonly Administrator[]> {
  for (const table of [administratorTable, roleTable, linkTable])
    if (!(await knex.schema.hasTable(table)))
      throw new ApplicationError(`The database has no table ${table}, so it has no administrators of v4`)
  const codes: ReadonlyMap<number, string> = new Map(
    (await knex(roleTable).orderBy('id').select('id', 'code')).map(row => [Number(row.id), String(row.code)]),
  )
  if (role !== null && ![...codes.values()].includes(role))
    throw new ApplicationError(
      `v4 has no role "${role}" of administrators; its roles are ${[...codes.values()].join(', ')}`,
    )
  const links = await knex(linkTable).orderBy('id').select('user_id', 'role_id')
  const rolesOf = (id: unknown) =>
    links.flatMap(link => (Number(link.user_id) === Number(id) ? (codes.get(Number(link.role_id)) ?? []) : []))
  const rows = await knex(administratorTable)
    .orderBy('id')
    .select('id', 'email', 'username', 'password', 'is_active', 'blocked')
  return rows
    .map(row => ({
      email: String(row.email ?? ''),
      username: row.username as string | null,
      password: row.password as string | null,
      isActive: Boolean(row.is_active),
      isBlocked: Boolean(row.blocked),
      roles: rolesOf(row.id),
    }))
    .filter(({ roles }) => role === null || roles.includes(role))
}

/** Says to `plinth doctor` how administrators of v4 who have no account get one. */
export async function remarksOnAdministrators(stored: StoredTables): Promise<readonly string[]> {
  const all = await stored.rows(administratorTable, ['email', 'password', 'is_active', 'blocked'])
  const active = all.filter(([, password, isActive, isBlocked]) => password !== null && isActive && !isBlocked)
  const addresses = new Set((await stored.rows(userTable, ['email'])).map(([email]) => foldName(String(email ?? ''))))
  const count = active.filter(([email]) => !addresses.has(foldName(String(email ?? '')))).length
  if (count === 0) return []
  const who = count === 1 ? "1 administrator of v4's panel needs" : `${count} administrators of v4's panel need`
  return [
    `${who} an account to log in to the studio (@plinth/studio): \`plinth user from-admins --role editor\` lists who would get one, with the same password`,
  ]
}
