// The routes of accounts that answer a token: login, registration, and the changes of a password (B-6.20, B-6.21, B-6.23,
// B-6.24). Bodies and answers have no outer `data`.

import {
  ApplicationError,
  type Context,
  type FieldError,
  PlinthError,
  ValidationError,
  withRights,
} from '@plinth/kernel'
import { checkBody, objectOf, refuseField } from '../bodies.ts'
import { isStored, resetCode, userOf } from '../codes.ts'
import { normalizeEmail, normalizeName } from '../names.ts'
import { checkNewPassword } from '../password-rules.ts'
import { type AccountTools, callerId } from '../tools.ts'
import { ownKey } from '../user-hooks.ts'
import { roleUid, userUid } from '../user-type.ts'
import { type LoginAnswer, loginAnswer } from './answers.ts'
import { sendConfirmation } from './codes.ts'

const wrongLogin = 'Invalid identifier or password'
const wrongCode = 'Incorrect code provided'
const wrongPassword = 'The provided current password is invalid'
const namesTaken = 'Email or Username are already taken'
export const blocked = 'Your account has been blocked by an administrator'
export const unconfirmed = 'Your account email is not confirmed'

/** POST /auth/local */
export async function logIn(tools: AccountTools, body: unknown, context: Context): Promise<object> {
  const { identifier, password } = checkBody(body, { fields: [{ name: 'identifier' }, { name: 'password' }] })
  const user = await tools.users.findLocal(identifier!)
  const { isRight, upgrade } = await tools.passwords.verify(password!, user?.password ?? null)
  if (user === null || !isRight) throw new ValidationError(wrongLogin)
  if (tools.advanced.needsConfirmation && !user.confirmed) throw new ApplicationError(unconfirmed)
  if (user.blocked) throw new ApplicationError(blocked)
  if (upgrade !== null)
    tools.outbox.add('Storing a hash by another algorithm', () =>
      tools.users.replaceHash(user.id, user.password!, upgrade),
    )
  return loginAnswer(tools, user, context)
}

/** POST /auth/local/register */
export async function register(tools: AccountTools, body: unknown, context: Context): Promise<object> {
  const { kernel, advanced, users, config } = tools
  if (!advanced.allowsRegistration) throw new ApplicationError('Register action is currently disabled')
  const fields = [{ name: 'email', isEmail: true }, { name: 'username' }, { name: 'password' }]
  const sent = checkBody(body, { fields })
  checkNewPassword(kernel, sent.password!)
  const role = await defaultRole(tools)
  const [email, username] = [normalizeEmail(sent.email!), normalizeName(sent.username!)]
  if (await users.hasNames(email, username)) throw new ApplicationError(namesTaken)
  const allowed = config.register.allowedFields.filter(name => Object.hasOwn(objectOf(body), name))
  const data = {
    ...Object.fromEntries(allowed.map(name => [name, objectOf(body)[name]])),
    email,
    username,
    password: sent.password,
    provider: 'local',
    role,
    confirmed: !advanced.needsConfirmation,
  }
  const own = withRights(context, [kernel.actions.of(userUid, 'create'), kernel.actions.of(roleUid, 'find')])
  const query = kernel.query(userUid, { ...own, state: { ...context.state, [ownKey]: true } })
  const user = await tools.passwords
    .hashAhead(sent.password, () => query.create({ data, fields: ['id'] }))
    .catch((error: unknown) => {
      throw takenNames(error) !== null ? new ApplicationError(namesTaken) : error
    })
  if (advanced.needsConfirmation)
    tools.outbox.add('Sending the mail for a confirmation', () => sendConfirmation(tools, user.id))
  const { confirmed } = data
  return loginAnswer(tools, { id: user.id, validFrom: null, blocked: false, confirmed }, context)
}

/** The id of the role of new users. Throws ApplicationError if there is none. */
export async function defaultRole({ kernel, advanced }: AccountTools): Promise<number> {
  const [role] = await kernel.query(roleUid).findMany({
    filters: { type: advanced.defaultRole },
    fields: ['id'],
    pagination: { limit: 1, withCount: false },
  })
  if (role === undefined) throw new ApplicationError('Impossible to find the default role')
  return role.id
}

/** The names that another user has, who may have come at the same time; null if a write failed for another reason. */
export function takenNames(error: unknown): readonly string[] | null {
  if (!(error instanceof PlinthError) || error.status !== 400) return null
  const errors = (error.details?.errors ?? []) as readonly FieldError[]
  const isName = ({ path, message }: FieldError) =>
    message === 'This attribute must be unique' && ['username', 'email'].includes(path.join('.'))
  return errors.length > 0 && errors.every(isName) ? errors.map(({ path }) => path.join('.')) : null
}

/** POST /auth/reset-password */
export async function resetPassword(tools: AccountTools, body: unknown, context: Context): Promise<object> {
  const fields = [{ name: 'passwordConfirmation' }, { name: 'password' }, { name: 'code' }]
  const { code, password, passwordConfirmation } = checkBody(body, { fields, isClosed: true })
  checkNewPassword(tools.kernel, password!)
  if (password !== passwordConfirmation) throw new ValidationError('Passwords do not match')
  const id = userOf(resetCode, code)
  const user = id === null ? null : await tools.users.read(id)
  if (user === null || user.blocked || !isStored(code!, user.resetPasswordToken)) throw new ValidationError(wrongCode)
  const expected = { values: { resetPasswordToken: user.resetPasswordToken }, message: wrongCode }
  const data = { password, resetPasswordToken: null }
  return changeTo(tools, user.id, data, expected, context)
}

/** POST /auth/change-password */
export async function changePassword(tools: AccountTools, body: unknown, context: Context): Promise<object> {
  const id = callerId(context)
  if (id === null) throw new ApplicationError('You must be authenticated to reset your password')
  const fields = [{ name: 'passwordConfirmation' }, { name: 'password' }, { name: 'currentPassword' }]
  const { password, passwordConfirmation, currentPassword } = checkBody(body, { fields, isClosed: true })
  checkNewPassword(tools.kernel, password!)
  if (password !== passwordConfirmation) refuseField('passwordConfirmation', 'Passwords do not match')
  const user = await tools.users.read(id)
  const { isRight } = await tools.passwords.verify(currentPassword!, user?.password ?? null)
  if (user === null || !isRight) throw new ValidationError(wrongPassword)
  if (password === currentPassword)
    throw new ValidationError('Your new password must be different than your current password')
  const expected = { values: { password: user.password }, message: wrongPassword }
  return changeTo(tools, id, { password }, expected, context)
}

/** Changes the password of a user, and answers a token that is valid after it, if the user may log in. */
async function changeTo(
  tools: AccountTools,
  id: number,
  data: Readonly<Record<string, unknown>>,
  expected: Parameters<AccountTools['users']['change']>[2],
  context: Context,
): Promise<LoginAnswer> {
  await tools.passwords.hashAhead(data.password, () => tools.users.change(id, data, expected))
  const changed = await tools.users.read(id)
  // Somebody else may have deleted the user meanwhile.
  return changed === null ? { user: null } : loginAnswer(tools, changed, context)
}
