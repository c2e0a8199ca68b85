// Checks a new password by the attribute of the user type, before anything else is done for a request: no hash is computed
// for one that is refused, and nothing is said about names. Knows no transport.

import type { FieldError, Kernel, ScalarAttribute } from '@plinth/kernel'
import { ValidationError } from '@plinth/kernel'
import { maxPasswordBytes } from '@plinth/passwords'
import { userUid } from './user-type.ts'

/** Throws ValidationError, in the words of the kernel, for a password that could not be stored (B-6.21). */
export function checkNewPassword({ contentTypes }: Pick<Kernel, 'contentTypes'>, password: string): void {
  const { definition } = contentTypes.require(userUid).attributes.get('password') as ScalarAttribute
  const { minLength, maxLength } = definition
  const messages: string[] = []
  if (typeof minLength === 'number' && password.length < minLength)
    messages.push(`password must be at least ${minLength} characters`)
  if (typeof maxLength === 'number' && password.length > maxLength)
    messages.push(`password must be at most ${maxLength} characters`)
  if (Buffer.byteLength(password) > maxPasswordBytes)
    messages.push(`password must be at most ${maxPasswordBytes} bytes`)
  if (messages.length === 0) return
  throw ValidationError.ofFields(
    messages.map((message): FieldError => ({ path: ['password'], message, name: 'ValidationError' })),
  )
}
