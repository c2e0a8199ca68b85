// Reads and changes users for the plugin's own work, with all rights. What a request asks for goes through the rights of
// its caller instead (routes/).

import {
  type Context,
  createContext,
  type Entry,
  type Kernel,
  type ScalarAttribute,
  systemAccess,
} from '@plinth/kernel'
import { EqualNames, type NameAttribute, nameAttributes, type SearchedName } from './equal-names.ts'
import { normalizeEmail, normalizeName } from './names.ts'
import type { Caller } from './strategies.ts'
import { changedNames } from './unique-names.ts'
import { type ExpectedValues, expectedKey } from './user-hooks.ts'
import { secretAttributes, userUid } from './user-type.ts'

/** A user with what only the plugin may see. */
export interface Account {
  readonly id: number
  readonly username: string
  readonly email: string
  readonly provider: string | null
  readonly password: string | null
  readonly resetPasswordToken: string | null
  readonly confirmationToken: string | null
  readonly confirmed: boolean
  readonly blocked: boolean
  /** Milliseconds, or null. */
  readonly validFrom: number | null
}

/** The roles, as far as users are read with them. */
interface RoleReading {
  readonly userPopulate: Readonly<Record<string, object>>
}

const uncounted = { withCount: false } as const

/** Several users can have one address, if the settings allow it. */
const few = { sort: 'id', pagination: { limit: 5, ...uncounted } } as const

/** Returns filters for the user who logs in with a password, by an address or by the exact username. */
const localFilters = (identifier: string) => ({
  provider: 'local',
  $or: [{ email: normalizeEmail(identifier) }, { username: identifier }],
})

/** A username that is somebody else's address does not take over that address. */
function preferred<User extends { readonly email: string }>(identifier: string, users: readonly User[]): User | null {
  const email = normalizeEmail(identifier)
  return users.find(one => one.email === email) ?? users[0] ?? null
}

/** Users in the database. */
export class Users {
  readonly #kernel: Kernel
  readonly #roles: RoleReading
  /** Finds names that equal others but for case. */
  readonly names: EqualNames
  #callerFields: readonly string[] | null = null

  constructor(kernel: Kernel, roles: RoleReading) {
    this.#kernel = kernel
    this.#roles = roles
    this.names = new EqualNames(kernel)
  }

  /** The user who logs in by an address or an exact username with a password (B-6.20); null if there is none. */
  async findLocal(identifier: string): Promise<Account | null> {
    return preferred(identifier, await this.#find(localFilters(identifier)))
  }

  /** The id of the user whom a login by `identifier`, or a request about `email`, is about; null if there is none. */
  async findId(field: 'identifier' | 'email', name: string): Promise<number | null> {
    const filters = field === 'email' ? { email: normalizeEmail(name) } : localFilters(name)
    // The same short question for everybody: its time must not tell whether there is such a user.
    const rows = await this.#query().findMany({ filters, fields: ['email'], ...few })
    const users = rows.map(({ id, email }) => ({ id, email: String(email ?? '') }))
    return preferred(name, users)?.id ?? null
  }

  /** The user with this address, whoever authenticates them. */
  async findByEmail(email: string): Promise<Account | null> {
    return (await this.#find({ email: normalizeEmail(email) }))[0] ?? null
  }

  /** The users with this address: at most one, unless the settings allow several. */
  findAllByEmail(email: string): Promise<Account[]> {
    return this.#find({ email: normalizeEmail(email) })
  }

  /** Makes a user, and returns the id. Throws the faults of `data`. */
  async create(data: Readonly<Record<string, unknown>>): Promise<number> {
    const { id } = await this.#query().create({ data, fields: ['id'] })
    return id
  }

  async read(id: number): Promise<Account | null> {
    const entry = await this.#query().findOne(id)
    return entry === null ? null : accountOf(entry)
  }

  /** Returns whether another user than `except` fulfils the filters. */
  async isTaken(filters: object, except: number | null = null): Promise<boolean> {
    const entries = await this.#query().findMany({ filters, fields: ['id'], pagination: { limit: 2, ...uncounted } })
    return entries.some(({ id }) => id !== except)
  }

  /** Returns whether somebody has the address or the username, in any case, as either of their names (B-6.42). */
  async hasNames(email: string, username: string): Promise<boolean> {
    const names = [normalizeEmail(email), normalizeName(username)]
    // An index answers this one, and most names that are taken are found by it.
    if (await this.isTaken({ $or: [{ email: { $in: names } }, { username: { $in: names } }] })) return true
    return this.#isEqualTaken(
      names.flatMap(name => nameAttributes.map(attribute => ({ attribute, name }))),
      null,
    )
  }

  /**
   * Returns whether another user than `account` has this name, in any case. A change of the case alone takes no name.
   */
  async isNameTaken(attribute: NameAttribute, name: string, account: Account | null): Promise<boolean> {
    const id = account?.id ?? null
    if (await this.isTaken({ [attribute]: name }, id)) return true
    return this.#isEqualTaken(changedNames({ [attribute]: name }, [attribute], account), id)
  }

  async #isEqualTaken(names: readonly SearchedName[], except: number | null): Promise<boolean> {
    return (await this.names.findTaken(this.#kernel.knex, names, except)).size > 0
  }

  /** Returns what strategies check: nothing in it is secret but the time. */
  async findCaller(id: number): Promise<Caller | null> {
    this.#callerFields ??= this.#findCallerFields()
    const options = { fields: this.#callerFields, populate: this.#roles.userPopulate as never }
    const entry = await this.#query().findOne(id, options)
    if (entry === null) return null
    const { tokensValidFrom, ...user } = entry
    return {
      user,
      roleId: (user.role as { id: number } | null | undefined)?.id ?? null,
      isBlocked: user.blocked === true,
      isConfirmed: user.confirmed === true,
      validFrom: timeOf(tokensValidFrom),
    }
  }

  /**
   * Changes a user, if the user is still as expected. Throws the message of `expected` as a ValidationError if not, and
   * the faults of `data`.
   */
  async change(id: number, data: Readonly<Record<string, unknown>>, expected?: ExpectedValues): Promise<void> {
    await this.#query(expected === undefined ? {} : { [expectedKey]: expected }).update(id, { data, fields: ['id'] })
  }

  /** Stores a hash by bcrypt that v4 made. Nothing else of the user changes. */
  async takeHash(id: number, hash: string): Promise<void> {
    await this.#replace(id, 'password', { to: hash })
  }

  /** Replaces a hash by that of the same password by another algorithm. Nothing else of the user changes. */
  async replaceHash(id: number, from: string, to: string): Promise<void> {
    await this.#replace(id, 'password', { from, to })
  }

  /**
   * Stores the hash of a code for a login by a third party, in the place of that for the confirmation of the address,
   * which such a user does not need. Nothing else of the user changes.
   */
  async keepCode(id: number, stored: string): Promise<void> {
    await this.#replace(id, 'confirmationToken', { to: stored })
  }

  /** Removes the hash of such a code. False if it is not stored any more: a code is used once. */
  takeCode(id: number, stored: string): Promise<boolean> {
    return this.#replace(id, 'confirmationToken', { from: stored, to: null })
  }

  /** Writes one column, if it has the value `from`, without hooks. Returns whether a row was written. */
  #replace(id: number, name: string, { from, to }: { readonly from?: string; readonly to: string | null }) {
    const { table, attributes } = this.#kernel.contentTypes.require(userUid)
    const { column } = attributes.get(name) as ScalarAttribute
    return this.#kernel.transaction(async tx => {
      const rows = tx.knex(table).where({ id, ...(from !== undefined && { [column]: from }) })
      return Number(await rows.update({ [column]: to })) > 0
    })
  }

  async #find(filters: object): Promise<Account[]> {
    const entries = await this.#query().findMany({ filters, ...few })
    return entries.map(accountOf)
  }

  #query(state: Readonly<Record<string, unknown>> = {}) {
    const context: Context = { ...createContext(systemAccess), state: { ...state } }
    return this.#kernel.query(userUid, context)
  }

  #findCallerFields(): string[] {
    const { attributes } = this.#kernel.contentTypes.require(userUid)
    const secret: readonly string[] = secretAttributes
    const scalars = [...attributes.values()].filter(one => one.kind === 'scalar' && one.scalar.secret !== true)
    return [...scalars.map(one => one.name).filter(name => !secret.includes(name)), 'tokensValidFrom']
  }
}

function timeOf(value: unknown): number | null {
  const time = value === null || value === undefined ? Number.NaN : new Date(value as string).getTime()
  return Number.isNaN(time) ? null : time
}

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)

function accountOf(entry: Entry): Account {
  return {
    id: entry.id,
    username: String(entry.username ?? ''),
    email: String(entry.email ?? ''),
    provider: textOf(entry.provider),
    password: textOf(entry.password),
    resetPasswordToken: textOf(entry.resetPasswordToken),
    confirmationToken: textOf(entry.confirmationToken),
    confirmed: entry.confirmed === true,
    blocked: entry.blocked === true,
    validFrom: timeOf(entry.tokensValidFrom),
  }
}
