// The user of a profile: found by the verified address, or made, by the rules of v4. An account with a password is not
// entered by a third party: its password may have been chosen by somebody who does not own the address.

import { ApplicationError } from '@plinth/kernel'
import { hasInvisible, normalizeEmail, normalizeName } from '../names.ts'
import { blocked, defaultRole, takenNames, unconfirmed } from '../routes/auth.ts'
import type { AccountTools } from '../tools.ts'
import type { Account } from '../users.ts'
import type { Profile } from './profiles.ts'

const emailTaken = 'Email is already taken.'

/** The id of the user who logs in by a provider. Throws ApplicationError, with v4's messages, if none may. */
export async function findUser(tools: AccountTools, provider: string, profile: Profile): Promise<number> {
  const email = normalizeEmail(profile.email)
  const accounts = await tools.users.findAllByEmail(email)
  const own = accounts.find(one => one.provider === provider)
  if (own !== undefined) return admit(tools, own)
  if (!tools.advanced.allowsRegistration) throw new ApplicationError('Register action is actually not available.')
  const [other] = accounts
  if (other !== undefined && tools.isEmailUnique) return takeOver(tools, other, provider)
  try {
    return await create(tools, provider, { ...profile, email })
  } catch (error) {
    if (!takenNames(error)?.includes('email')) throw error
    // The same user may have come at the same time.
    const [winner] = await tools.users.findAllByEmail(email)
    if (winner?.provider === provider) return admit(tools, winner)
    throw new ApplicationError(emailTaken)
  }
}

/** The id of a user who may log in. Throws ApplicationError for others, as the login with a password does. */
export function admit({ advanced }: AccountTools, { id, blocked: isBlocked, confirmed }: Account): number {
  if (isBlocked) throw new ApplicationError(blocked)
  if (advanced.needsConfirmation && !confirmed) throw new ApplicationError(unconfirmed)
  return id
}

/**
 * Gives the account of somebody who registered with this address, and never confirmed it, to the owner of the address.
 * The password, the codes and the tokens of whoever registered are not valid any more.
 */
async function takeOver({ advanced, users }: AccountTools, account: Account, provider: string): Promise<number> {
  const isOpen = advanced.needsConfirmation && account.provider === 'local' && !account.confirmed
  if (!isOpen) throw new ApplicationError(emailTaken)
  if (account.blocked) throw new ApplicationError(blocked)
  const data = {
    provider,
    confirmed: true,
    password: null,
    confirmationToken: null,
    resetPasswordToken: null,
    tokensValidFrom: new Date(),
  }
  const { password, confirmationToken } = account
  await users.change(account.id, data, {
    values: { password, confirmationToken, provider: 'local' },
    message: emailTaken,
  })
  return account.id
}

const attempts = 5

async function create(tools: AccountTools, provider: string, { email, name }: Profile): Promise<number> {
  const role = await defaultRole(tools)
  const baseName = usernameOf(name || email)
  for (let attempt = 1; ; attempt++) {
    const username = attempt === 1 && baseName.length >= 3 ? baseName : `${baseName}-${randomDigits()}`
    // A username must not be the address of somebody (B-6.42); a name without @ cannot be one.
    try {
      return await tools.users.create({ username, email, provider, role, confirmed: true })
    } catch (error) {
      if (attempt === attempts || !takenNames(error)?.includes('username')) throw error
    }
  }
}

const randomDigits = (): number => 1000 + Math.floor(Math.random() * 9000)

/** A name without what usernames cannot have; that of an address is the part before the @. */
function usernameOf(name: string): string {
  const [first = ''] = normalizeName(name).split('@')
  const visible = [...first].filter(one => !hasInvisible(one)).slice(0, 60)
  return visible.join('').trim() || 'user'
}
