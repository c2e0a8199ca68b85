// Roles and permissions in the database: what a first start makes, how they are read, and how they change. Hooks of the
// content types run for what is created; what is taken away is deleted in one statement.

import { type Kernel, nearest, type RelationAttribute, type Transaction, UsageError } from '@plinth/kernel'
import { permissionUid, roleUid, userUid } from './types.ts'

/** A role with the actions that are stored for it. */
export interface StoredRole {
  readonly id: number
  readonly name: string
  readonly type: string
  readonly actions: readonly string[]
}

const auth = 'plugin::users-permissions.auth'

/** The roles of a first start, in the order of v4's ids, with their permissions (B-6.50). */
const firstRoles = [
  {
    name: 'Authenticated',
    description: 'Default role given to authenticated user.',
    type: 'authenticated',
    actions: [`${userUid}.me`, `${auth}.changePassword`],
  },
  {
    name: 'Public',
    description: 'Default role given to unauthenticated user.',
    type: 'public',
    actions: [
      `${auth}.callback`,
      `${auth}.connect`,
      `${auth}.forgotPassword`,
      `${auth}.resetPassword`,
      `${auth}.register`,
      `${auth}.emailConfirmation`,
      `${auth}.sendEmailConfirmation`,
    ],
  },
]

/** Link tables as knex takes them. */
interface Links {
  readonly table: string
  /** The column with the id of the permission or the user. */
  readonly from: string
  /** The column with the id of the role. */
  readonly to: string
}

/** The tables of roles. */
export class RoleStore {
  readonly #kernel: Kernel

  constructor(kernel: Kernel) {
    this.#kernel = kernel
  }

  /**
   * Makes the roles and permissions of a first start, and the roles of these types that do not exist. Another process
   * may start at the same time and be faster.
   */
  async establish(types: readonly string[]): Promise<void> {
    try {
      await this.#establish(types)
    } catch {
      await this.#establish(types)
    }
  }

  /** The types of the roles that there are after `establish`. Changes nothing. */
  async typesWith(types: readonly string[]): Promise<readonly string[]> {
    const stored = await this.#kernel.query(roleUid).findMany({ fields: ['type'], sort: 'id' })
    const first = stored.length === 0 ? firstRoles : stored
    return [...new Set([...first.map(({ type }) => String(type)), ...types])]
  }

  #establish(types: readonly string[]): Promise<void> {
    return this.#kernel.transaction(async () => {
      const roles = this.#kernel.query(roleUid)
      if ((await roles.count()) === 0)
        for (const { actions: _, ...data } of firstRoles) await roles.create({ data, fields: ['id'] })
      const byType = new Map((await this.read()).map(role => [role.type, role]))
      if ((await this.#kernel.query(permissionUid).count()) === 0)
        for (const { type, actions } of firstRoles) {
          const role = byType.get(type)
          if (role !== undefined) await this.#grant(role.id, actions)
        }
      for (const type of types.filter(type => !byType.has(type))) {
        await roles.create({ data: { name: nameOf(type), description: '', type }, fields: ['id'] })
        const similar = nearest(type, byType.keys())
        const { log } = this.#kernel
        const message = `users-permissions: made the role "${type}", which config/plugins declares`
        if (similar === null) log.info(message)
        else log.warn(`${message}; if "${similar}" was meant, correct the name and delete this role`)
      }
    })
  }

  /** All roles. */
  async read(): Promise<StoredRole[]> {
    const entries = await this.#kernel.query(roleUid).findMany({
      fields: ['name', 'type'],
      sort: 'id',
      populate: { permissions: { fields: ['action'] } },
    })
    return entries.map(({ id, name, type, permissions }) => ({
      id,
      name: String(name),
      type: String(type),
      actions: (permissions as { action: unknown }[]).map(one => String(one.action)),
    }))
  }

  /** A text that changes with every change of roles and permissions, by one short statement. */
  async fingerprint(): Promise<string> {
    const { knex } = this.#kernel
    const links = this.#linksOf(permissionUid)
    const roles = this.#table(roleUid)
    const permissions = this.#table(permissionUid)
    const row = await knex
      .select({
        roles: knex(roles).count('*'),
        lastRole: knex(roles).max('id'),
        rolesChanged: knex(roles).max('updated_at'),
        links: knex(links.table).count('*'),
        lastLink: knex(links.table).max('id'),
        permissionsChanged: knex(permissions).max('updated_at'),
      } as never)
      .first()
    return JSON.stringify(row)
  }

  /** Makes `actions` the stored actions of a role. For transactions. */
  async setActions(tx: Transaction, roleId: number, actions: ReadonlySet<string>): Promise<void> {
    const links = this.#linksOf(permissionUid)
    const table = this.#table(permissionUid)
    // Two changes of one role wait for each other here.
    await tx.knex(this.#table(roleUid)).where({ id: roleId }).forUpdate().select('id')
    const stored: { id: number; action: string }[] = await tx
      .knex(table)
      .join(links.table, `${table}.id`, `${links.table}.${links.from}`)
      .where(`${links.table}.${links.to}`, roleId)
      .select(`${table}.id`, `${table}.action`)
    const gone = stored.filter(one => !actions.has(one.action)).map(one => one.id)
    if (gone.length > 0) await this.#deletePermissions(tx, gone)
    const storedActions = new Set(stored.map(one => one.action))
    await this.#grant(
      roleId,
      [...actions].filter(action => !storedActions.has(action)),
    )
  }

  /** Moves the users of a role to another one. For transactions. */
  async moveUsers(tx: Transaction, from: number, to: number): Promise<void> {
    const links = this.#linksOf(userUid)
    await tx
      .knex(links.table)
      .where(links.to, from)
      .update({ [links.to]: to })
  }

  /** The number of users by the id of their role. */
  async countUsers(): Promise<ReadonlyMap<number, number>> {
    const { table, to } = this.#linksOf(userUid)
    const rows: { role: number; users: number | string }[] = await this.#kernel
      .knex(table)
      .groupBy(to)
      .select({ role: to })
      .count({ users: '*' } as never)
    return new Map(rows.map(({ role, users }) => [Number(role), Number(users)]))
  }

  async #grant(roleId: number, actions: readonly string[]): Promise<void> {
    const permissions = this.#kernel.query(permissionUid)
    for (const action of actions) await permissions.create({ data: { action, role: roleId }, fields: ['id'] })
  }

  async #deletePermissions(tx: Transaction, ids: readonly number[]): Promise<void> {
    const { table, from } = this.#linksOf(permissionUid)
    // A link table that another program made may lack the foreign key that would delete the links too.
    await tx.knex(table).whereIn(from, ids).del()
    await tx.knex(this.#table(permissionUid)).whereIn('id', ids).del()
  }

  #table(uid: string): string {
    return this.#kernel.contentTypes.require(uid).table
  }

  /** The links from permissions or users to roles. */
  #linksOf(uid: string): Links {
    const attribute = this.#kernel.contentTypes.require(uid).attributes.get('role') as RelationAttribute | undefined
    if (attribute?.storage.kind === 'links') return attribute.storage
    throw new UsageError('PLINTH_ATTRIBUTE_UNKNOWN', `${uid} has no relation "role" with a link table`)
  }
}

/** The name of a role that has only a type: `content_editor` is "Content editor". */
function nameOf(type: string): string {
  const words = type.replaceAll(/[_-]+/g, ' ').trim()
  const name = `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`
  return name.length < 3 ? `Role ${name}` : name
}
