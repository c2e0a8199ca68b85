// Makes, lists, changes and revokes tokens, for the routes, for the commands, and for code of the application. Does not
// check who may do so.

import { ApplicationError, type Kernel, NotFoundError } from '@plinth/kernel'
import { parseChange, parseNew } from './input.ts'
import { makeKey } from './keys.ts'
import type { Tokens } from './tokens.ts'
import { actionUid, type TokenRow, tokenUid } from './types.ts'

/** A token as it is shown, in the form of v4. Datetimes are in ISO format. */
export interface TokenView {
  readonly id: number
  readonly name: string
  readonly description: string | null
  readonly type: string
  /** When it was last used; recorded at most once an hour. */
  readonly lastUsedAt: string | null
  readonly expiresAt: string | null
  /** Milliseconds, as text; null if it does not expire. */
  readonly lifespan: string | null
  readonly createdAt: string | null
  readonly updatedAt: string | null
  /** The actions of a custom token; empty for the other types. */
  readonly permissions: readonly string[]
}

/** A token with its key, which is not stored and cannot be shown again. */
export interface ShownToken extends TokenView {
  readonly accessKey: string
}

const withActions = { populate: ['permissions'] }

/** The tokens of a kernel, for those who manage them. */
export class TokenManager {
  readonly #kernel: Kernel
  readonly #tokens: Tokens

  /** @internal */
  constructor(kernel: Kernel, tokens: Tokens) {
    this.#kernel = kernel
    this.#tokens = tokens
  }

  /** All tokens, by name. */
  async list(): Promise<TokenView[]> {
    const rows = await this.#query.findMany({ sort: 'name', ...withActions })
    return rows.map(row => this.#view(row as unknown as TokenRow))
  }

  /** The token with this id. Throws NotFoundError. */
  async find(id: number): Promise<TokenView> {
    return this.#view(await this.#row(id))
  }

  /**
   * Makes a token of `{ name, description?, type?, lifespan?, permissions? }`; permissions may be patterns such as
   * `api::article.article.*`. Throws ValidationError, and ApplicationError if the name is taken.
   */
  async create(sent: unknown): Promise<ShownToken> {
    const { actions, ...token } = parseNew(sent, this.#kernel.actions)
    const accessKey = makeKey()
    const data = { ...token, accessKey: await this.#tokens.hash(accessKey), expiresAt: endOf(token.lifespan) }
    const row = await this.#kernel.transaction(async () => {
      await this.#refuseTaken(token.name, 0)
      const { id } = await this.#query.create({ data })
      await this.#add(id, actions)
      return this.#row(id)
    })
    return { ...this.#view(row), accessKey }
  }

  /** Changes name, description, type and permissions; what was not sent stays. Throws what `create` throws. */
  async update(id: number, sent: unknown): Promise<TokenView> {
    const row = await this.#change(async () => {
      const before = await this.#row(id)
      const { actions, ...data } = parseChange(sent, before.type, this.#kernel.actions)
      if (data.name !== undefined) await this.#refuseTaken(data.name, id)
      if (Object.keys(data).length > 0) await this.#query.update(id, { data })
      if (actions !== undefined) await this.#replace(before, actions)
      return this.#row(id)
    })
    return this.#view(row)
  }

  /** Gives a token another key, and its lifespan begins anew. The old key is revoked. Throws NotFoundError. */
  async regenerate(id: number): Promise<ShownToken> {
    const accessKey = makeKey()
    const hash = await this.#tokens.hash(accessKey)
    const row = await this.#change(async () => {
      const { lifespan } = await this.#row(id)
      const expiresAt = endOf(lifespan === null ? null : Number(lifespan))
      await this.#query.update(id, { data: { accessKey: hash, expiresAt } })
      return this.#row(id)
    })
    return { ...this.#view(row), accessKey }
  }

  /**
   * Revokes a token and returns it as it was: this process refuses its key at once, others within five seconds. Throws
   * NotFoundError.
   */
  async revoke(id: number): Promise<TokenView> {
    const row = await this.#change(async () => {
      const before = await this.#row(id)
      for (const one of before.permissions) await this.#kernel.query(actionUid).delete(one.id)
      await this.#query.delete(id)
      return before
    })
    return this.#view(row)
  }

  get #query() {
    return this.#kernel.query(tokenUid)
  }

  /** A transaction after which the checked tokens are forgotten. */
  async #change<T>(work: () => Promise<T>): Promise<T> {
    const result = await this.#kernel.transaction(work)
    this.#tokens.forget()
    return result
  }

  async #row(id: number): Promise<TokenRow> {
    const row = await this.#query.findOne(id, withActions)
    if (row === null) throw new NotFoundError('API Token not found')
    return row as unknown as TokenRow
  }

  /** `own` is the id of the token that may have the name. */
  async #refuseTaken(name: string, own: number): Promise<void> {
    const count = await this.#query.count({ filters: { name: { $eq: name }, id: { $ne: own } } })
    if (count > 0) throw new ApplicationError('Name already taken')
  }

  async #add(token: number, actions: readonly string[]): Promise<void> {
    for (const action of actions) await this.#kernel.query(actionUid).create({ data: { action, token } })
  }

  async #replace({ id, permissions }: TokenRow, actions: readonly string[]): Promise<void> {
    const present = permissions.map(one => one.action)
    for (const one of permissions) if (!actions.includes(one.action)) await this.#kernel.query(actionUid).delete(one.id)
    await this.#add(
      id,
      actions.filter(action => !present.includes(action)),
    )
  }

  #view(row: TokenRow): TokenView {
    const { id, name, description, type, lastUsedAt, expiresAt, lifespan, createdAt, updatedAt } = row
    const used = this.#tokens.uses.of(id) ?? lastUsedAt
    const permissions = row.permissions.map(one => one.action)
    return { id, name, description, type, lastUsedAt: used, expiresAt, lifespan, createdAt, updatedAt, permissions }
  }
}

const endOf = (lifespan: number | null) => (lifespan === null ? null : new Date(Date.now() + lifespan).toISOString())
