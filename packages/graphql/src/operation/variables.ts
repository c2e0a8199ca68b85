// Variables as they were sent: counts them before anything is done with them, and converts them to the types of their
// operation (security.md row 73a). It knows no requests.

import { isPlainRecord } from '@plinth/kernel'
import {
  coerceInputValue,
  GraphQLError,
  type GraphQLInputType,
  type GraphQLSchema,
  isInputType,
  isNonNullType,
  print,
  type TypeNode,
  typeFromAST,
  type VariableDefinitionNode,
  valueFromAST,
} from 'graphql'
import type { VariableLimits } from '../config.ts'
import type { Variables } from './arguments.ts'
import { plainRefusal } from './errors.ts'
import { RefusedDocument } from './refused-document.ts'
import { ShownValues } from './shown-values.ts'

/** Maximum number of errors of variables that are reported. */
const maxErrors = 20

/** Variables that do not fit their types. */
export class VariableErrors extends Error {
  readonly errors: readonly GraphQLError[]

  constructor(errors: readonly GraphQLError[]) {
    super('Variables do not fit their types')
    this.errors = errors
  }
}

/**
 * Throws RefusedDocument if the variables of the operations of one request have too many values, levels or bytes. The time
 * does not depend on what is beyond the limits. Returns the bytes of memory that they take, roughly.
 */
export function checkVariables(all: readonly Variables[], limits: VariableLimits): number {
  const count = new VariableCount(limits)
  for (const one of all) count.addMembers(one, 1)
  return count.size
}

/** Bytes of memory that a value takes beside its text. */
const sizeOfValue = 64

class VariableCount {
  readonly #limits: VariableLimits
  #values = 0
  #bytes = 0

  constructor(limits: VariableLimits) {
    this.#limits = limits
  }

  get size(): number {
    return this.#bytes + sizeOfValue * this.#values
  }

  #add(value: unknown, level: number): void {
    if (++this.#values > this.#limits.values) this.#refuse('values')
    if (typeof value === 'string') this.#addText(value)
    else if (Array.isArray(value)) {
      this.#checkLevel(level)
      for (const one of value) this.#add(one, level + 1)
    } else if (isPlainRecord(value)) {
      // Other objects are values of code, or files.
      this.#checkLevel(level)
      this.addMembers(value, level + 1)
    }
  }

  addMembers(members: Readonly<Record<string, unknown>>, level: number): void {
    for (const name in members) {
      this.#addText(name)
      this.#add(members[name], level)
    }
  }

  #addText(text: string): void {
    this.#bytes += Buffer.byteLength(text)
    if (this.#bytes > this.#limits.bytes) this.#refuse('bytes')
  }

  #checkLevel(level: number): void {
    if (level > this.#limits.depth) this.#refuse('depth')
  }

  #refuse(what: keyof VariableLimits): never {
    const words = { values: 'values', depth: 'levels', bytes: 'bytes of texts and names' }
    const message = `The variables have more ${words[what]} than the ${this.#limits[what]} that are allowed`
    throw new RefusedDocument([plainRefusal(message, 'BAD_USER_INPUT')])
  }
}

/** The types by which variables are converted. */
export interface VariableTypes {
  readonly schema: GraphQLSchema
  readonly definitions: readonly VariableDefinitionNode[]
  /** True if errors name similar words of the schema. */
  readonly suggestions: boolean
  /** The variables whose values no error shows. */
  readonly secrets: () => ReadonlySet<string>
}

/** The values of variables, as graphql-js converts them. Throws VariableErrors. */
export function coerceVariables(sent: Variables, types: VariableTypes): Variables {
  const coerced: Record<string, unknown> = Object.create(null)
  const errors: GraphQLError[] = []
  try {
    for (const node of types.definitions) coerceOne(node, { sent, coerced, types, errors })
  } catch (error) {
    if (!(error instanceof TooManyErrors)) throw error
    errors.push(new GraphQLError('Too many errors processing variables, error limit reached. Execution aborted.'))
  }
  if (errors.length > 0) throw new VariableErrors(errors)
  return coerced
}

class TooManyErrors extends Error {}

interface Coercion {
  readonly sent: Variables
  readonly coerced: Record<string, unknown>
  readonly types: VariableTypes
  readonly errors: GraphQLError[]
}

function coerceOne(node: VariableDefinitionNode, coercion: Coercion): void {
  const { sent, coerced, types } = coercion
  const name = node.variable.name.value
  const type = typeFromAST(types.schema, node.type as TypeNode as never) as GraphQLInputType | undefined
  if (!isInputType(type)) {
    const typeText = print(node.type)
    report(
      coercion,
      `Variable "$${name}" expected value of type "${typeText}" which cannot be used as an input type.`,
      node.type,
    )
  } else if (!Object.hasOwn(sent, name)) {
    if (node.defaultValue !== undefined) coerced[name] = valueFromAST(node.defaultValue, type)
    else if (isNonNullType(type))
      report(coercion, `Variable "$${name}" of required type "${String(type)}" was not provided.`, node)
  } else if (sent[name] === null && isNonNullType(type))
    report(coercion, `Variable "$${name}" of non-null type "${String(type)}" must not be null.`, node)
  else {
    const onError = (path: readonly (string | number)[], invalid: unknown, { message }: GraphQLError) => {
      const shownValues = new ShownValues(name, type, types.secrets().has(name))
      report(coercion, shownValues.fault(invalid, path, message), node)
    }
    coerced[name] = coerceInputValue(sent[name], type, onError, !types.suggestions)
  }
}

function report({ errors }: Coercion, message: string, node: VariableDefinitionNode | TypeNode): void {
  if (errors.length >= maxErrors) throw new TooManyErrors()
  errors.push(new GraphQLError(message, { nodes: node }))
}
