// Reads attributes from words such as `title:string:required` and `writer:manyToOne=api::writer.writer`. Whether the
// types and targets exist is judged by the kernel, which also knows those of plugins.

import { Failure } from '../failure.ts'
import { nearestOf } from '../nearest.ts'

/** An attribute, as a schema file says it. */
export type Attribute = Readonly<Record<string, unknown>>

const flags = ['required', 'unique', 'private']

/** The options that stand behind `=`, by the type for which they are written. */
const operands: Readonly<Record<string, (value: string) => Attribute>> = {
  enumeration: value => ({ type: 'enumeration', enum: value.split(',') }),
  uid: value => ({ type: 'uid', targetField: value }),
  component: value => ({ type: 'component', component: value }),
  components: value => ({ type: 'component', component: value, repeatable: true }),
  dynamiczone: value => ({ type: 'dynamiczone', components: value.split(',') }),
  ...Object.fromEntries(
    ['oneToOne', 'oneToMany', 'manyToOne', 'manyToMany'].map(relation => [
      relation,
      (target: string) => ({ type: 'relation', relation, target }),
    ]),
  ),
}

/** The forms of the words, for the usage text. */
export const attributeHelp =
  'attributes: name:type, with :required, :unique or :private behind it, and name:type=value for enumeration=a,b, uid=title, manyToOne=api::x.x, component=shared.seo'

/** The attributes of the words, by name; `title`, a string, if there are none. Throws Failure. */
export function attributesOf(words: readonly string[]): Record<string, Attribute> {
  if (words.length === 0) return { title: { type: 'string' } }
  const attributes: Record<string, Attribute> = {}
  for (const word of words) {
    const [, name, type, value, rest] = /^([^:=]+):([^:=]+)(?:=(.*?))?((?:(?<!:):(?!:)[a-z]+(?!::))*)$/.exec(word) ?? []
    if (name === undefined || type === undefined)
      throw new Failure(`"${word}" is not an attribute: write name:type, such as title:string`)
    if (!/^[A-Za-z]\w*$/.test(name))
      throw new Failure(`the name "${name}" of an attribute must consist of letters and digits`)
    if (Object.hasOwn(attributes, name)) throw new Failure(`the attribute "${name}" is named twice`)
    attributes[name] = { ...attributeOf(name, type, value), ...flagsOf(name, rest ?? '') }
  }
  return attributes
}

function attributeOf(name: string, type: string, value: string | undefined): Attribute {
  const operand = operands[type]
  if (value !== undefined) {
    if (operand === undefined)
      throw new Failure(`${name}: ${nearestOf('type with a value', type, Object.keys(operands))}`)
    return operand(value)
  }
  if (operand !== undefined && type !== 'uid')
    throw new Failure(`${name}: ${type} needs a value, such as ${name}:${type}=${exampleOf(type)}`)
  return { type }
}

function exampleOf(type: string): string {
  if (type === 'enumeration') return 'news,essay'
  return type.includes('To') ? 'api::writer.writer' : 'shared.seo'
}

function flagsOf(name: string, rest: string): Attribute {
  const words = rest.split(':').filter(one => one !== '')
  for (const flag of words) if (!flags.includes(flag)) throw new Failure(`${name}: ${nearestOf('option', flag, flags)}`)
  return Object.fromEntries(words.map(flag => [flag, true]))
}
