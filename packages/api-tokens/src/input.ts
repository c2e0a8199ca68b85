// Checks what is sent to make or change a token. The messages are those of v4 where it has one.

import { type Kernel, RegistrationError, suggestion, ValidationError } from '@plinth/kernel'
import { type TokenType, tokenTypes } from './types.ts'

const day = 86_400_000

/** The lifespans of tokens in milliseconds (B-6.74); null has no end. */
export const lifespans: readonly number[] = [7 * day, 30 * day, 90 * day]

/** A token that is to be made. */
export interface NewToken {
  readonly name: string
  readonly description: string
  readonly type: TokenType
  readonly lifespan: number | null
  /** The actions of a custom token, without duplicates; empty for the other types. */
  readonly actions: readonly string[]
}

/** The changes of a token; what was not sent stays. */
export type TokenChange = Partial<Omit<NewToken, 'lifespan'>>

type Actions = Kernel['actions']
type Body = Readonly<Record<string, unknown>>

/** Checks a new token. Throws ValidationError. */
export function parseNew(sent: unknown, actions: Actions): NewToken {
  const body = bodyOf(sent, ['name', 'description', 'type', 'lifespan', 'permissions'])
  if (body.name === undefined) throw fault('name', 'name is a required field')
  const type = body.type === undefined ? tokenTypes[0] : typeIn(body.type)
  return {
    name: nameIn(body.name),
    description: descriptionIn(body.description ?? ''),
    type,
    lifespan: lifespanIn(body.lifespan ?? null),
    actions: actionsFor(type, body.permissions, actions),
  }
}

/** Checks a change of a token that has this type. Throws ValidationError. */
export function parseChange(sent: unknown, current: string, actions: Actions): TokenChange {
  const body = bodyOf(sent, ['name', 'description', 'type', 'permissions'])
  const type = body.type === undefined ? undefined : typeIn(body.type)
  const staysCustom = (type ?? current) === 'custom' && current === 'custom' && body.permissions === undefined
  return {
    ...(body.name !== undefined && { name: nameIn(body.name) }),
    ...(body.description !== undefined && { description: descriptionIn(body.description ?? '') }),
    ...(type !== undefined && { type }),
    ...(!staysCustom && { actions: actionsFor(type ?? current, body.permissions, actions) }),
  }
}

function bodyOf(sent: unknown, keys: readonly string[]): Body {
  if (sent === null || typeof sent !== 'object' || Array.isArray(sent))
    throw new ValidationError('The body must be a JSON object')
  const unknown = Object.keys(sent).filter(key => !keys.includes(key))
  if (unknown.length > 0) {
    const hint = suggestion(unknown[0]!, keys)
    throw new ValidationError(`this field has unspecified keys: ${unknown.join(', ')}${hint}`)
  }
  return sent as Body
}

/** A text on one line. Names are printed in terminals, where control characters would act. */
function textIn(field: string, value: unknown): string {
  if (typeof value !== 'string') throw fault(field, `${field} must be a \`string\` type`)
  const text = value.trim()
  if (/\p{Cc}/u.test(text)) throw fault(field, `${field} must not contain control characters`)
  if (text.length > 255) throw fault(field, `${field} must be at most 255 characters`)
  return text
}

function nameIn(value: unknown): string {
  const name = textIn('name', value)
  if (name === '') throw fault('name', 'name must be at least 1 characters')
  return name
}

const descriptionIn = (value: unknown) => textIn('description', value)

function typeIn(value: unknown): TokenType {
  const type = tokenTypes.find(one => one === value)
  if (type !== undefined) return type
  const hint = typeof value === 'string' ? suggestion(value, tokenTypes) : ''
  throw fault('type', `type must be one of the following values: ${tokenTypes.join(', ')}${hint}`)
}

function lifespanIn(value: unknown): number | null {
  if (value === null) return null
  const lifespan = lifespans.find(one => one === value)
  if (lifespan !== undefined) return lifespan
  throw fault('lifespan', `lifespan must be one of the following values: ${[...lifespans, null].join(', ')}`)
}

/** The maximum number of actions and patterns in one request. */
const most = 1000

function actionsFor(type: string, sent: unknown, actions: Actions): string[] {
  const listed = sent ?? null
  if (type !== 'custom') {
    if (listed !== null && !(Array.isArray(listed) && listed.length === 0))
      throw fault('permissions', 'Non-custom tokens should not reference permissions')
    return []
  }
  if (!Array.isArray(listed)) throw fault('permissions', 'Missing permissions attribute for custom token')
  if (listed.length > most) throw fault('permissions', `permissions must have at most ${most} items`)
  return [...new Set(listed.flatMap(one => existing(one, actions)))].sort()
}

/** The actions that a name or a pattern stands for. Throws ValidationError with the nearest action if there is none. */
function existing(pattern: unknown, actions: Actions): readonly string[] {
  if (typeof pattern !== 'string') throw fault('permissions', 'permissions must be a list of names of actions')
  try {
    return actions.match(pattern)
  } catch (error) {
    if (!(error instanceof RegistrationError)) throw error
    const hint = suggestion(pattern, actions.names)
    throw fault('permissions', `Unknown permissions provided: ${JSON.stringify(pattern)}${hint}`)
  }
}

const fault = (path: string, message: string) =>
  ValidationError.ofFields([{ path: [path], message, name: 'ValidationError' }])
