// What holds for every change of a user, whichever transport it comes by: names in one form, attributes that are closed
// to callers, and the end of tokens when the password changes (security.md rows 49, 58 and 65).

import { type Context, ForbiddenError, type Kernel, systemAccess, ValidationError, type Write } from '@plinth/kernel'
import { refuseField } from './bodies.ts'
import { hasInvisible, normalizeEmail, normalizeName } from './names.ts'
import { powerAttributes, roleUid, secretAttributes, userUid } from './user-type.ts'

/** What a user must be like when a change is made; `message` is that of the ValidationError if it is not. */
export interface Expected {
  readonly values: Readonly<Record<string, unknown>>
  readonly message: string
}

/** The value of a context that holds what is expected. */
export const expectedKey = 'users-permissions:expected'

/** The value of a context that says that the plugin itself makes the change, and has judged what was sent. */
export const ownKey = 'users-permissions:own'

/** The right that is needed to change what an account may do. */
export const powerRight = `${roleUid}.updateRole`

/** Registers the hooks. `forget` is told the ids of users who have changed. */
export function registerUserHooks(kernel: Kernel, forget: (id: number) => void): void {
  const isUser = ({ uid }: { readonly uid: string }) => uid === userUid
  const options = { for: isUser, actions: ['create', 'update'] }
  kernel.hooks.on('preWrite', options, write => {
    if (!isOwn(write.context)) refuseClosed(write)
    normalizeNames(write.data)
    endTokens(write)
    return judgeExpected(write)
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

/** Tokens from before a change of the password are not valid any more. */
function endTokens({ action, data, now }: Write): void {
  if (action === 'update' && data.password !== undefined && data.password !== null) data.tokensValidFrom = now
}

/** What was read before the change must still hold: a code is used once, even by two requests at a time. */
async function judgeExpected(write: Write): Promise<void> {
  const expected = write.context.state[expectedKey] as Expected | undefined
  if (expected === undefined) return
  const before = await write.before()
  for (const [name, value] of Object.entries(expected.values))
    if (before?.[name] !== value) throw new ValidationError(expected.message)
}
