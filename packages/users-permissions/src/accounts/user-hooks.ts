// Keeps the rules of every change of a user, whichever transport it comes by: names in one form, attributes that are
// closed to callers, and the end of tokens when the password changes (security.md rows 49, 58 and 65).

import {
  ApplicationError,
  type Context,
  ForbiddenError,
  type Kernel,
  systemAccess,
  ValidationError,
  type Write,
} from '@plinth/kernel'
import { refuseField } from './bodies.ts'
import { hasInvisible, normalizeEmail, normalizeName } from './names.ts'
import { powerAttributes, roleUid, secretAttributes, userUid } from './user-type.ts'

/** The values that a user must have when a change is made; `message` is that of the ValidationError if it is not. */
export interface ExpectedValues {
  readonly values: Readonly<Record<string, unknown>>
  readonly message: string
}

/** The value of a context that holds what is expected. */
export const expectedKey = 'users-permissions:expected'

/** The value of a context that says that the plugin itself makes the change, and has checked what was sent. */
export const ownKey = 'users-permissions:own'

/** The right that is needed to change what an account may do. */
export const powerRight = `${roleUid}.updateRole`

/** Registers the hooks. `forget` receives the ids of users who have changed. */
export function registerUserHooks(kernel: Kernel, forget: (id: number) => void): void {
  const isUser = ({ uid }: { readonly uid: string }) => uid === userUid
  const options = { for: isUser, actions: ['create', 'update'] }
  kernel.hooks.on('preWrite', options, async write => {
    if (!isOwn(write.context)) refuseClosed(write)
    normalizeNames(write.data)
    endTokens(write)
    if (!isOwn(write.context)) await keepVerified(write)
    await checkExpected(write)
  })
  kernel.hooks.on('prePlan', options, (draft, access) => {
    draft.declareClosed(...secretAttributes)
    if (draft.action === 'update' && !access.can(powerRight)) draft.declareClosed(...powerAttributes)
  })
  kernel.hooks.on('onCommit', { for: isUser }, writes => {
    for (const { type, id } of writes) if (type.uid === userUid && id !== null) forget(id)
  })
}

const isOwn = ({ access, state }: Context): boolean => access === systemAccess || state[ownKey] === true

/** Refuses attributes that callers may not write. */
function refuseClosed({ action, sent, context }: Write): void {
  for (const name of secretAttributes) if (sent.has(name)) refuseField(name, `Invalid key ${name}`)
  if (action !== 'update' || !powerAttributes.some(name => sent.has(name))) return
  if (!context.access.can(powerRight)) throw new ForbiddenError()
}

/**
 * The address of a user who logs in by a third party is the one that it has verified: whoever has that of somebody else
 * would share the account with them from their first login on (security.md row 66).
 */
async function keepVerified(write: Write): Promise<void> {
  if (write.action !== 'update' || !write.sent.has('email') || write.context.access.can(powerRight)) return
  const user = await write.before()
  const provider = user?.provider ?? 'local'
  if (provider !== 'local' && write.data.email !== user?.email)
    throw new ApplicationError(`The address of this user is that of the provider ${String(provider)}`)
}

function normalizeNames(data: Record<string, unknown>): void {
  const { username, email } = data
  if (typeof username === 'string') data.username = normalizeName(username)
  if (typeof email === 'string') data.email = normalizeEmail(email)
  for (const name of ['username', 'email']) {
    const value = data[name]
    if (typeof value === 'string' && hasInvisible(value))
      refuseField(name, `${name} must not contain invisible characters`)
  }
}

/** Tokens and codes that were issued for the password or the address of before are not valid any more. */
function endTokens({ action, data, now }: Write): void {
  if (action !== 'update') return
  const isSet = (name: string) => data[name] !== undefined && data[name] !== null
  if (isSet('password')) data.tokensValidFrom = now
  if (isSet('password') || isSet('email')) data.resetPasswordToken ??= null
  // A code that was sent to one address does not confirm another one.
  if (isSet('email')) data.confirmationToken ??= null
}

/**
 * Refuses a change if what was read before it does not hold any more: a code is used once, even by two requests at a
 * time.
 */
async function checkExpected(write: Write): Promise<void> {
  const expected = write.context.state[expectedKey] as ExpectedValues | undefined
  if (expected === undefined) return
  const before = await write.before()
  for (const [name, value] of Object.entries(expected.values))
    if (before?.[name] !== value) throw new ValidationError(expected.message)
}
