// The routes of users (B-6.28 to B-6.34): lists are bare arrays, bodies and answers have no outer `data`. Rights and rules
// are those of the caller, by `kernel.query` with the context.

import {
  ApplicationError,
  type Context,
  CredentialsError,
  type Entry,
  type FieldError,
  type FindOptions,
  ForbiddenError,
  invalidParameter,
  NotFoundError,
  PlinthError,
  ValidationError,
  withRights,
} from '@plinth/kernel'
import { checkBody, objectOf, roleOf } from '../bodies.ts'
import { normalizeEmail, normalizeName } from '../names.ts'
import { checkNewPassword } from '../password-rules.ts'
import { type AccountTools, callerId } from '../tools.ts'
import { powerRight } from '../user-hooks.ts'
import { roleUid, userUid } from '../user-type.ts'
import { allowing, presentUser } from './answers.ts'
import { defaultRole } from './auth.ts'

type Params = Readonly<Record<string, unknown>>

/** The parameters of a query string that select what an answer contains. Others are ignored (security.md A.2). */
const selectors = ['fields', 'populate'] as const
const selecting = [...selectors, 'filters', 'sort', '_q'] as const

function pick(params: Params, names: readonly string[]): FindOptions {
  return Object.fromEntries(names.filter(name => Object.hasOwn(params, name)).map(name => [name, params[name]]))
}

/** GET /users/me */
export async function findMe(tools: AccountTools, params: Params, context: Context): Promise<Entry> {
  const id = callerId(context)
  // A caller who is not a user, such as an API token, has nobody to show (B-6.28).
  if (id === null) throw new CredentialsError('Unauthorized')
  const me = await presentUser(tools, id, context, pick(params, selectors))
  if (me === null) throw new CredentialsError()
  return me
}

/** GET /users. A list has no default limit; what exceeds the limits of answers is refused (B-6.29). */
export function findUsers({ kernel }: AccountTools, params: Params, context: Context): Promise<Entry[]> {
  const { start, limit } = params
  const isPart = start !== undefined || limit !== undefined
  const page = { pagination: { start, limit: limit ?? -1, withCount: false } as never }
  return kernel.query(userUid, context).findMany({ ...pick(params, selecting), ...(isPart && page) })
}

/**
 * GET /users/count: the keys of the query string are filters (B-6.30). Who may only count may ask about nothing: with
 * filters a count tells, step by step, the values of all attributes.
 */
export function countUsers({ kernel }: AccountTools, params: Params, context: Context): Promise<number> {
  // As filters of the REST API they would be ignored, and the number would be larger than what was asked for.
  for (const name of [...selecting, 'pagination'])
    if (Object.hasOwn(params, name)) throw new ValidationError(`Invalid parameter ${name}`, { path: name })
  const find = kernel.actions.of(userUid, 'find')
  const [filterName] = context.access.can(find) ? [] : Object.keys(params)
  if (filterName !== undefined) throw invalidParameter(filterName, `filters.${filterName}`)
  const rights = allowing(context, find)
  return kernel.query(userUid, rights).count({ filters: params })
}

/** GET /users/:id */
export async function findUser(tools: AccountTools, id: number | null, params: Params, context: Context) {
  const query = tools.kernel.query(userUid, context)
  // The query is checked before an id that cannot be one is.
  return query.findOne(id ?? 0, pick(params, selectors))
}

const createRules = { fields: [{ name: 'email', isEmail: true }, { name: 'username' }, { name: 'password' }] }

/** POST /users */
export async function createUser(tools: AccountTools, body: unknown, context: Context): Promise<Entry | null> {
  const id = await storeUser(tools, body, context)
  return presentUser(tools, id, context, { populate: ['role'] })
}

/** Makes a user of what a caller with the right to do so sends, and returns the id. */
export async function storeUser(tools: AccountTools, body: unknown, context: Context): Promise<number> {
  const { kernel, users, passwords } = tools
  const { email, username, password } = checkBody({ role: null, ...objectOf(body) }, createRules)
  try {
    checkNewPassword(kernel, password!)
  } catch (error) {
    throw asApplicationError(error)
  }
  const role = roleOf(objectOf(body).role ?? null)!
  await checkRole(tools, role, context)
  if (await users.isNameTaken('email', normalizeEmail(email!), null)) throw new ApplicationError('Email already taken')
  if (await users.isNameTaken('username', normalizeName(username!), null))
    throw new ApplicationError('This attribute must be unique')
  const data = { ...objectOf(body), email, username, password, role, provider: 'local' }
  const query = kernel.query(userUid, withRights(context, [kernel.actions.of(roleUid, 'find')]))
  try {
    const { id } = await passwords.hashAhead(password, () => query.create({ data, fields: ['id'] }))
    return id
  } catch (error) {
    throw asApplicationError(error)
  }
}

/** v4 answers what the entry lacks as the rule of an application (B-6.32). */
function asApplicationError(error: unknown): unknown {
  return error instanceof ValidationError ? new ApplicationError(error.message) : error
}

/** Only who may change roles may give others than the usual one and their own (security.md row 49). */
async function checkRole(tools: AccountTools, role: number, { access }: Context): Promise<void> {
  if (access.can(powerRight)) return
  const own = (access.user as { readonly role?: { readonly id?: unknown } } | null)?.role?.id
  if (role !== own && role !== (await defaultRole(tools))) throw new ForbiddenError()
}

const updateRules = {
  fields: ['email', 'username', 'password'].map(name => ({
    name,
    isOptional: true,
    isEmail: name === 'email',
    min: 1,
  })),
}

/** PUT /users/:id */
export async function updateUser(tools: AccountTools, id: number | null, body: unknown, context: Context) {
  const changed = await changeUser(tools, id, body, context)
  return presentUser(tools, changed, context, { populate: ['role'] })
}

/** Changes a user by what a caller with the right to do so sends, and returns the id. */
export async function changeUser(
  tools: AccountTools,
  id: number | null,
  body: unknown,
  context: Context,
): Promise<number> {
  const { kernel, users, passwords } = tools
  const sent = objectOf(body)
  const mayChange = id !== null && (await kernel.writer.entries.mayChange(userUid, id, context))
  const account = mayChange ? await users.read(id) : null
  if (id === null || account === null) throw new NotFoundError('User not found')
  const { email, username, password } = checkBody(sent, updateRules)
  if (password !== undefined) checkNewPassword(kernel, password)
  const role = roleOf(sent.role)
  if (username !== undefined && (await users.isNameTaken('username', normalizeName(username), account)))
    throw new ApplicationError('Username already taken')
  if (email !== undefined && (await users.isNameTaken('email', normalizeEmail(email), account)))
    throw new ApplicationError('Email already taken')
  const data = { ...sent, ...(role !== undefined && { role }) }
  const rights = role === undefined ? context : withRights(context, [kernel.actions.of(roleUid, 'find')])
  const query = kernel.query(userUid, rights)
  const changed = await passwords
    .hashAhead(password, () => query.update(id, { data, fields: ['id'] }))
    .catch((error: unknown) => {
      throw namesTaken(error) ?? error
    })
  if (changed === null) throw new NotFoundError('User not found')
  return id
}

/** The error of a name that somebody else took at the same time; null for other errors. */
function namesTaken(error: unknown): ApplicationError | null {
  const errors = (error instanceof PlinthError ? (error.details?.errors ?? []) : []) as readonly FieldError[]
  const first = errors.find(one => one.message === 'This attribute must be unique')?.path.join('.')
  if (first !== 'username' && first !== 'email') return null
  return new ApplicationError(`${first === 'email' ? 'Email' : 'Username'} already taken`)
}

/** DELETE /users/:id: the user as it was; null if there is none. */
export async function deleteUser({ kernel }: AccountTools, id: number | null, context: Context): Promise<Entry | null> {
  const query = kernel.query(userUid, context)
  return query.delete(id ?? 0)
}
