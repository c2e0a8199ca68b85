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

/** An error of typebox. */
interface SchemaError {
  readonly keyword: string
  readonly schemaPath: string
  readonly instancePath: string
  readonly params: Record<string, unknown>
  readonly message: string
}

/** All faults of `value` against `schema`, one per place: of a union, those of the alternative that was meant. */
export function findFaults(schema: TSchema, value: unknown): Fault[] {
  const faults: Fault[] = []
  const faultKeys = new Set<string>()
  const errors = (validatorOf(schema).Errors(value) as SchemaError[]).filter(error => error.keyword !== 'boolean')
  for (const error of errors.filter(one => !isRedundant(one, errors))) {
    const path = error.instancePath.slice(1).replaceAll('/', '.')
    for (const { key, message } of describe(error, schemaAt(schema, error.schemaPath))) {
      const at = key === undefined ? path : [path, key].filter(Boolean).join('.')
      if (!faultKeys.has(`${at}|${message}`)) faults.push({ path: at, message })
      faultKeys.add(`${at}|${message}`)
    }
  }
  return faults
}

/**
 * Returns whether the error is about an alternative of a union that the value is not meant to be, or about a union as a
 * whole.
 */
function isRedundant(error: SchemaError, errors: readonly SchemaError[]): boolean {
  if (error.keyword === 'anyOf') return errors.some(one => isWithin(one, error) && !isOtherType(one, error))
  return errors.some(one => one.keyword === 'anyOf' && isWithin(error, one) && isOtherType(error, one))
}

const isWithin = (error: SchemaError, union: SchemaError) => error.schemaPath.startsWith(`${union.schemaPath}/anyOf/`)

const isOtherType = ({ keyword, instancePath }: SchemaError, union: SchemaError) =>
  (keyword === 'type' || keyword === 'const') && instancePath === union.instancePath

/** The parts of a schema that messages name. */
interface Node {
  readonly type?: unknown
  readonly const?: unknown
  readonly properties?: object
  readonly anyOf?: readonly Node[]
  readonly not?: Node
  readonly patternProperties?: object
  /**
   * The form that a message expects of a text with a `pattern`, or of the names of an object with one:
   * `a path, such as "/api"`. A `description` is for those who set it.
   */
  readonly expected?: string
}

interface FaultText {
  readonly key?: string
  readonly message: string
}

function describe({ keyword, params, message }: SchemaError, node: Node): FaultText[] {
  switch (keyword) {
    case 'additionalProperties':
      return (params.additionalProperties as string[]).map(key => ({
        key,
        message:
          node.patternProperties !== undefined && node.expected !== undefined
            ? `is not ${node.expected}`
            : `is not known${suggestion(key, Object.keys(node.properties ?? {}))}`,
      }))
    case 'required':
      return (params.requiredProperties as string[]).map(key => ({ key, message: 'is missing' }))
    case 'type':
      return [{ message: `must be ${nameOf({ type: params.type })}` }]
    case 'const':
      return [{ message: `must be ${JSON.stringify(params.allowedValue)}` }]
    case 'enum':
      return [
        { message: `must be one of ${(params.allowedValues as unknown[]).map(one => JSON.stringify(one)).join(', ')}` },
      ]
    case 'anyOf':
      return [{ message: describeUnion(node.anyOf!) }]
    case 'not':
      return [{ message: node.not?.const === undefined ? message : `must not be ${JSON.stringify(node.not.const)}` }]
    case 'pattern':
      return [{ message: node.expected === undefined ? message : `must be ${node.expected}` }]
    case 'minimum':
      return [{ message: `must be at least ${params.limit as number}` }]
    case 'maximum':
      return [{ message: `must be at most ${params.limit as number}` }]
    default:
      return [{ message }]
  }
}

function describeUnion(alternatives: readonly Node[]): string {
  const names = [...new Set(alternatives.map(nameOf))]
  return alternatives.every(one => one.const !== undefined)
    ? `must be one of ${names.join(', ')}`
    : `must be ${names.join(' or ')}`
}

const typeNames: Readonly<Record<string, string>> = {
  array: 'a list',
  boolean: 'true or false',
  integer: 'a whole number',
  number: 'a number',
  object: 'an object',
  string: 'a string',
}

function nameOf({ type, const: value }: Node): string {
  return value === undefined ? (typeNames[String(type)] ?? `a ${String(type)}`) : JSON.stringify(value)
}

function schemaAt(schema: TSchema, path: string): Node {
  let node: unknown = schema
  for (const step of path.split('/').slice(1)) node = (node as Record<string, unknown> | undefined)?.[step]
  return (node ?? {}) as Node
}
