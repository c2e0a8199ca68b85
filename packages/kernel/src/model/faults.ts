// Converts typebox errors to sentences: what is wrong, where, and the nearest known name. It has no schema of its own.

import { Compile, type TSchema } from '#typebox'
import { suggestion } from '../nearest.ts'

/** Compiled validators by schema; one schema checks all files of its kind. */
const validators = new WeakMap<TSchema, ReturnType<typeof Compile>>()

function validatorOf(schema: TSchema): ReturnType<typeof Compile> {
  let validator = validators.get(schema)
  if (validator === undefined) {
    validator = Compile(schema)
    validators.set(schema, validator)
  }
  return validator
}

/** A fault and its dotted path. */
export interface Fault {
  readonly path: string
  readonly message: string
}

/** All faults of `value` against `schema`, without the redundant errors of unions and `false` schemas. */
export function findFaults(schema: TSchema, value: unknown): Fault[] {
  const faults: Fault[] = []
  const seen = new Set<string>()
  for (const error of validatorOf(schema).Errors(value)) {
    if (error.keyword === 'boolean' || error.keyword === 'const') continue
    const path = error.instancePath.slice(1).replaceAll('/', '.')
    for (const fault of describe(
      error.keyword,
      error.params as Record<string, unknown>,
      error.message,
      error.schemaPath,
    )) {
      const at = fault.key === undefined ? path : [path, fault.key].filter(Boolean).join('.')
      const message = describeKnown(schema, fault)
      if (!seen.has(`${at}|${message}`)) faults.push({ path: at, message })
      seen.add(`${at}|${message}`)
    }
  }
  return faults
}

interface Described {
  readonly key?: string
  readonly message: string
  readonly parent: string
}

function describe(keyword: string, params: Record<string, unknown>, message: string, schemaPath: string): Described[] {
  const parent = schemaPath
  if (keyword === 'additionalProperties') {
    return (params.additionalProperties as string[]).map(key => ({ key, message: 'is not known', parent }))
  }
  if (keyword === 'required') {
    return (params.requiredProperties as string[]).map(key => ({ key, message: 'is missing', parent }))
  }
  return [{ message, parent }]
}

function describeKnown(schema: TSchema, fault: Described): string {
  const node = schemaAt(schema, fault.parent)
  if (fault.message === 'is not known')
    return `is not known${suggestion(fault.key!, Object.keys(node.properties ?? {}))}`
  if (Array.isArray(node.anyOf)) {
    const allowed = node.anyOf.map(one => (one as { const?: unknown }).const).filter(one => one !== undefined)
    if (allowed.length > 0) return `must be one of ${allowed.map(one => JSON.stringify(one)).join(', ')}`
  }
  return fault.message
}

function schemaAt(schema: TSchema, path: string): { properties?: object; anyOf?: unknown[] } {
  let node: unknown = schema
  for (const step of path.split('/').slice(1)) node = (node as Record<string, unknown> | undefined)?.[step]
  return (node ?? {}) as { properties?: object; anyOf?: unknown[] }
}
