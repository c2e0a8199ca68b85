// Finds what a start in production refuses, or does not do, of an application that has just been made. Knows texts and values only.

/** A secret with where it comes from. */
export interface Secret {
  /** The name of the variable, or of the setting. */
  readonly name: string
  /** Its value; undefined if only the environment of production has it. */
  readonly value: string | undefined
  /** The fewest characters; undefined if any length will do. */
  readonly minLength?: number
  /** The consequence of replacing it. */
  readonly ends: string
}

/** The values of v4's example files, which a start in production refuses. */
const sample = /^(?:to-?be-?modified|change-?me|replace-?me|secret)\d*$/i

/** The fewest characters of the secret that signs tokens. */
export const minSecret = 16

/** Returns why a start in production refuses a secret; none if it does not. */
export function secretFaults({ name, value, minLength = 0, ends }: Secret): string[] {
  const fault = faultOf(value, minLength)
  return fault === null ? [] : [`${name} ${fault}: a start in production is refused; with another one, ${ends}`]
}

function faultOf(value: string | undefined, minLength: number): string | null {
  if (value === undefined || value === '') return 'is missing'
  if (sample.test(value)) return 'has the value of an example, which everybody knows'
  if (/-----BEGIN [A-Z ]+-----/.test(value)) return 'is a key in PEM form, but must be a random text'
  if (value.length < minLength) return `has ${value.length} characters, but needs at least ${minLength}`
  return null
}

/** Returns what holds for every application. `program`: the command `plinth`. */
export function productionLines(secrets: readonly string[], program: string): string[] {
  return [
    `a start in production changes no tables, and is refused while the database lacks what the schemas need: \`node ${program} migrate apply\` is a step of each release before it`,
    ...(secrets.length === 0
      ? []
      : [
          `.env stays on this machine, and the environment of production needs its variables: ${secrets.join(' and ')} with random values of at least ${minSecret} characters`,
        ]),
  ]
}
