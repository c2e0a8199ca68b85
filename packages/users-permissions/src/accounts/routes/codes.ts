// The routes that send codes by mail, and the one that a mail for a confirmation links to (B-6.22, B-6.25, B-6.26).

import type { Variables } from '@plinth/email'
import { ApplicationError, ValidationError } from '@plinth/kernel'
import { checkBody } from '../bodies.ts'
import { confirmationCode, isStored, makeCode, resetCode, userOf } from '../codes.ts'
import type { AccountTools } from '../tools.ts'
import type { Account } from '../users.ts'

const emailField = [{ name: 'email', isEmail: true }]

/**
 * POST /auth/forgot-password. The answer is the same for everybody, and everything else follows it, so that its time is
 * the same too (security.md row 62).
 */
export function forgotPassword(tools: AccountTools, body: unknown): object {
  const { email } = checkBody(body, { fields: emailField, isClosed: true })
  tools.outbox.add('Sending the mail for a new password', () => sendReset(tools, email!))
  return { ok: true }
}

async function sendReset(tools: AccountTools, email: string): Promise<void> {
  const { advanced, kernel, mailer, users } = tools
  const user = await users.findByEmail(email)
  if (user === null || user.blocked) return
  if (advanced.resetPage === null)
    kernel.log.warn(
      'config/plugins: users-permissions.config.advanced.email_reset_password: is not set, so mails do not link to a page',
    )
  const { code, stored } = makeCode(resetCode, user.id)
  await users.change(user.id, { resetPasswordToken: stored })
  await mailer.send('reset_password', user.email, {
    ...variablesOf(tools, user),
    URL: advanced.resetPage ?? '',
    TOKEN: code,
  })
}

/** POST /auth/send-email-confirmation */
export async function requestConfirmation(tools: AccountTools, body: unknown): Promise<object> {
  const { email } = checkBody(body, { fields: emailField })
  const user = await tools.users.findByEmail(email!)
  if (user === null) return { email, sent: true }
  if (user.confirmed) throw new ApplicationError('Already confirmed')
  if (user.blocked) throw new ApplicationError('User blocked')
  tools.outbox.add('Sending the mail for a confirmation', () => sendConfirmation(tools, user.id))
  return { email: user.email, sent: true }
}

/** Sends a user a new code for the confirmation of their address. Earlier codes are not valid any more (B-6.43). */
export async function sendConfirmation(tools: AccountTools, id: number): Promise<void> {
  const { mailer, prefix, serverUrl, users } = tools
  const user = await users.read(id)
  if (user === null || user.confirmed) return
  const { code, stored } = makeCode(confirmationCode, id)
  await users.change(id, { confirmationToken: stored })
  await mailer.send('email_confirmation', user.email, {
    ...variablesOf(tools, user),
    URL: `${serverUrl}${prefix}/auth/email-confirmation`,
    CODE: code,
  })
}

/** GET /auth/email-confirmation: confirms, and returns the configured page, whatever the request says (row 67). */
export async function confirmEmail(tools: AccountTools, query: unknown): Promise<string> {
  await confirm(tools, query)
  return tools.advanced.confirmedPage
}

/** Confirms the address of the user to whom the code in `confirmation` was sent, and returns the id. */
export async function confirm(tools: AccountTools, query: unknown): Promise<number> {
  const { confirmation } = checkBody(query, { fields: [{ name: 'confirmation' }] })
  const id = userOf(confirmationCode, confirmation)
  const user = id === null ? null : await tools.users.read(id)
  if (user === null || !isStored(confirmation!, user.confirmationToken)) throw new ValidationError('Invalid token')
  const expected = { values: { confirmationToken: user.confirmationToken }, message: 'Invalid token' }
  await tools.users.change(user.id, { confirmed: true, confirmationToken: null }, expected)
  return user.id
}

/** Returns what templates may show of a user and of the server. */
function variablesOf({ serverUrl }: AccountTools, { id, username, email }: Account): Variables {
  return { SERVER_URL: serverUrl, ADMIN_URL: '', USER: { id, username, email } }
}
