// Values of variables as errors show them: short, and without those of attributes that are private or passwords.

import { isSecretName } from '@plinth/kernel'
import { cite } from '@plinth/server/transport'
import {
  type GraphQLInputType,
  getNamedType,
  getNullableType,
  isInputObjectType,
  isLeafType,
  isListType,
} from 'graphql'
import { isSecretField } from '../schema/meaning.ts'
import { containsFile, isFile } from '../schema/received-files.ts'

/** Replaces a value that is not shown. */
const hidden = '***'

/** Maximum number of characters of graphql-js's reason that are shown; most reasons cite nothing and are shorter. */
const maxReason = 300

/** Maximum numbers of items and members of a value that are shown, and of levels, as in graphql-js. */
const maxItems = 10
const maxLevels = 2

/** Shows the values of one variable in errors. */
export class ShownValues {
  readonly #name: string
  readonly #type: GraphQLInputType
  readonly #isSecret: boolean

  constructor(name: string, type: GraphQLInputType, isSecret: boolean) {
    this.#name = name
    this.#type = type
    this.#isSecret = isSecret
  }

  /** Says what is wrong with the value at a path in the variable: the value, and why, by the message of graphql-js. */
  fault(value: unknown, path: readonly (string | number)[], message: string): string {
    const place = this.#placeOf(path)
    const valueText = place === null ? hidden : print(value, place, maxLevels)
    // Messages about leaves and files cite the value again.
    const isSecretLeaf = (valueText.includes(hidden) || containsFile(value)) && isLeafType(getNamedType(place))
    const isCitedAgain = place === null || isFile(value) || isSecretLeaf
    const type = String(getNamedType(typeAt(this.#type, path) ?? this.#type))
    const reason = isCitedAgain ? `Expected type "${type}".` : message.length > maxReason ? cite(message) : message
    const at = path.length === 0 ? '' : ` at "${cite(this.#name + pathText(path))}"`
    return `Variable "$${this.#name}" got invalid value ${cite(valueText)}${at}; ${reason}`
  }

  /** The type at a path; null if what is there is not shown. */
  #placeOf(path: readonly (string | number)[]): Place | null {
    let place: Place = this.#type
    if (this.#isSecret) return null
    for (const step of path) {
      if (typeof step === 'string' && isSecretMember(place, step)) return null
      place = memberType(place, step)
    }
    return place
  }
}

/** The type of a value; undefined below a value of JSON. */
type Place = GraphQLInputType | undefined

/** The type of the value at a path, which is that of a scalar for values in it. */
function typeAt(type: GraphQLInputType, path: readonly (string | number)[]): Place {
  let place: Place = type
  for (const step of path) place = memberType(place, step)
  return place
}

function memberType(place: Place, step: string | number): Place {
  if (place === undefined) return undefined
  const type = getNullableType(place)
  if (typeof step === 'number') return isListType(type) ? type.ofType : type
  // One item may stand for a list.
  const namedType = getNamedType(type)
  return isInputObjectType(namedType) ? namedType.getFields()[step]?.type : namedType
}

/**
 * Returns whether the value of a member is not shown: its attribute is private or a password, or its name is that of a
 * secret.
 */
function isSecretMember(place: Place, name: string): boolean {
  if (isSecretName(name, true)) return true
  return place !== undefined && isSecretField(getNamedType(place), name)
}

/** The path behind the name of a variable, as graphql-js writes it. */
function pathText(path: readonly (string | number)[]): string {
  return path.map(step => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('')
}

/** A value as graphql-js shows it in errors, in little more characters than are cited. */
function print(value: unknown, place: Place, levels: number): string {
  if (typeof value === 'string') return JSON.stringify(cite(value))
  if (typeof value === 'function') return '[function]'
  if (typeof value !== 'object' || value === null) return String(value)
  if (isFile(value)) return 'a file'
  if ('toJSON' in value && typeof value.toJSON === 'function') return print(value.toJSON(), place, levels)
  return Array.isArray(value) ? printList(value, place, levels) : printObject(value, place, levels)
}

function printList(list: readonly unknown[], place: Place, levels: number): string {
  if (list.length === 0) return '[]'
  if (levels === 0) return '[Array]'
  const items = list.slice(0, maxItems).map(one => print(one, memberType(place, 0), levels - 1))
  const more = list.length - items.length
  if (more > 0) items.push(more === 1 ? '... 1 more item' : `... ${more} more items`)
  return `[${items.join(', ')}]`
}

function printObject(members: object, place: Place, levels: number): string {
  const names = Object.keys(members)
  if (names.length === 0) return '{}'
  if (levels === 0) return '[Object]'
  const memberTexts = names.slice(0, 2 * maxItems).map(name => {
    const value = (members as Record<string, unknown>)[name]
    return `${cite(name)}: ${isSecretMember(place, name) ? hidden : print(value, memberType(place, name), levels - 1)}`
  })
  return `{ ${memberTexts.join(', ')}${names.length > memberTexts.length ? ', …' : ''} }`
}
