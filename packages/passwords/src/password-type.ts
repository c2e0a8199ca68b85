// Describes the attribute type `password` to the kernel: a text that is stored as a hash and never answered (B-4.27).

import { InvalidSchemaError, type ScalarType, type TypeDraft } from '@plinth/kernel'
import { defaultCost, hashPassword, maxPasswordBytes } from './bcrypt.ts'

/** Computes what is stored of a password; `options` is the definition of the attribute. */
export type HashPassword = (password: string, options: Readonly<Record<string, unknown>>) => string | Promise<string>

/** Returns the type with a hash function: bcrypt, or that of a plugin that has another algorithm. */
export function passwordType(hash: HashPassword = hashAsV4): ScalarType {
  return {
    storage: 'string',
    family: 'text',
    secret: true,
    maxBytes: maxPasswordBytes,
    prepare: (value, options) => hash(String(value), options),
  }
}

/** Returns the cost that the definition of an attribute sets by `encryption.rounds`; `defaultCost` without one. */
export function costOf(options: Readonly<Record<string, unknown>>): number {
  return (options.encryption as { readonly rounds?: number } | undefined)?.rounds ?? defaultCost
}

/** Throws InvalidSchemaError for `encryption.rounds` that bcrypt does not take, with which no entry could be written. */
export function checkRounds(draft: TypeDraft): void {
  for (const [name, definition] of draft.attributes) {
    if (definition.type !== 'password') continue
    const rounds: unknown = costOf(definition)
    if (Number.isInteger(rounds) && Number(rounds) >= 4 && Number(rounds) <= 31) continue
    const fault = `must be a whole number from 4 to 31, found ${JSON.stringify(rounds)}`
    throw new InvalidSchemaError(draft.source, `attributes.${name}.encryption.rounds`, fault)
  }
}

function hashAsV4(password: string, options: Readonly<Record<string, unknown>>): Promise<string> {
  return hashPassword(password, costOf(options))
}
