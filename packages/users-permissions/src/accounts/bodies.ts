// Checks the bodies of the routes of accounts, with v4's messages in v4's order (B-6.20 to B-6.33).

import { type FieldError, isRecord, ValidationError } from '@plinth/kernel'

/** A field of a body: text that is required, unless it says otherwise. */
export interface Field {
  readonly name: string
  readonly isOptional?: boolean
  readonly isEmail?: boolean
  /** Least number of characters. */
  readonly min?: number
}

/** The rules of a body. Errors are listed in the order of its fields. */
export interface BodyRules {
  readonly fields: readonly Field[]
  /** True if other keys are refused. */
  readonly isClosed?: boolean
}

/** A body that was checked: its fields are text, or absent if they are optional. */
export type CheckedBody = Readonly<Record<string, string>>

const error = (path: readonly string[], message: string): FieldError => ({ path, message, name: 'ValidationError' })

/** A pattern for addresses that is matched in linear time; the kernel's is the same. */
const emailForm =
  /^[^\s@<>()[\]\\,;:"]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9-]{0,62})(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,62}))+$/

export const isEmail = (text: string): boolean => text.length <= 320 && emailForm.test(text)

/** The body if it is an object; otherwise an object without fields. */
export function objectOf(body: unknown): Readonly<Record<string, unknown>> {
  return isRecord(body) ? body : {}
}

/** The fields of a body. Throws ValidationError with all faults. */
export function checkBody(value: unknown, { fields, isClosed = false }: BodyRules): CheckedBody {
  const body = objectOf(value)
  const faults: FieldError[] = []
  for (const field of fields) {
    const message = faultOf(field, Object.hasOwn(body, field.name) ? body[field.name] : undefined)
    if (message !== null) faults.push(error([field.name], message))
  }
  const unknown = Object.keys(body).filter(key => !fields.some(one => one.name === key))
  if (isClosed && unknown.length > 0)
    faults.push(error([], `this field has unspecified keys: ${unknown.slice(0, 10).join(', ').slice(0, 200)}`))
  if (faults.length > 0) throw ValidationError.ofFields(faults)
  return body as CheckedBody
}

function faultOf({ name, isOptional = false, isEmail: mustBeEmail = false, min = 0 }: Field, value: unknown) {
  if (value === undefined) return isOptional ? null : `${name} is a required field`
  if (typeof value !== 'string') return `${name} must be a \`string\` type${shown(name, value)}`
  if (value === '' && !isOptional) return `${name} is a required field`
  if (value.length > maxNameLength && !isSecret(name)) return `${name} must be at most ${maxNameLength} characters`
  if (mustBeEmail && !isEmail(value)) return `${name} must be a valid email`
  return value.length < min ? `${name} must be at least ${min} characters` : null
}

/** Longer names and addresses are not worth the time that it takes to compare them. */
export const maxNameLength = 1024

const isSecret = (name: string): boolean => /password|code|confirmation|token/i.test(name)

/** A value in a message, as v4 shows it; never that of a password (security.md A.5), and never a long one. */
function shown(name: string, value: unknown): string {
  if (isSecret(name)) return ''
  const text = JSON.stringify(value, null, 2)
  return `, but the final value was: \`${text.length > 200 ? `${text.slice(0, 200)}…` : text}\`.`
}

/** Throws the error of one field. */
export function refuseField(name: string, message: string): never {
  throw ValidationError.ofFields([error([name], message)])
}

const isId = (value: unknown): boolean => /^\d{1,15}$/.test(String(value)) && Number(value) > 0

/**
 * The role that a body names: an id, or `{ connect: [{ id }] }` (B-6.32); undefined if it names none. Throws
 * ValidationError: a user always has a role.
 */
export function roleOf(value: unknown): number | undefined {
  if (value === undefined) return undefined
  if (value === null) refuseField('role', 'role is a required field')
  if (typeof value !== 'object') return isId(value) ? Number(value) : refuseRole()
  const { connect, set, id, disconnect } = value as Readonly<Record<string, unknown>>
  const list = Array.isArray(value) ? value : (connect ?? set ?? (id === undefined ? disconnect : [id]))
  if (list === disconnect && disconnect !== undefined) refuseField('role', 'Users must have a role')
  if (!Array.isArray(list) || list.length !== 1) refuseField('role', 'Users must have a role')
  const [first] = list as unknown[]
  const linked = first !== null && typeof first === 'object' ? (first as { readonly id?: unknown }).id : first
  return isId(linked) && typeof linked !== 'object' ? Number(linked) : refuseRole()
}

function refuseRole(): never {
  refuseField('role', 'role must be the id of a role')
}
