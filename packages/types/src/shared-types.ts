// Writes the types that all content types use: the operands of filters, the forms in which links are sent, JSON and
// blocks. They stand in the written file, because it imports nothing.

import type { OperatorDescription } from './description.ts'

/** The types of the namespace `Plinth` that do not depend on the content types. */
export function sharedTypes(operators: readonly OperatorDescription[]): string {
  return `    /** A JSON value. */
    type Json = string | number | boolean | null | Json[] | { [key: string]: Json }
    /** A node of an attribute of the type \`blocks\`. */
    type Block = { readonly type: string; readonly [key: string]: unknown }
    /** A function among the settings of a plugin. */
    type Callback = (...args: any[]) => unknown
    /** The settings of a plugin that has none. */
    type Nothing = { readonly [name: string]: never }
    type Id = number | string
    /** The rights of a query: those of a caller, or all. Only with all rights it may name private attributes. */
    type Rights = 'caller' | 'all'
    type Private<Has extends Rights, Type> = Has extends 'all' ? Type : never
    /** The operators of filters on a value; several hold together. */
    interface Operators<Value> {
${operators.map(operatorMember).join('\n')}
      $and?: readonly Operators<Value>[]
      $or?: readonly Operators<Value>[]
      $not?: Operators<Value> | Value
    }
    /** A condition on a value; a list means one of its values. */
    type Test<Value> = Value | null | readonly (Value | null)[] | Operators<Value>
    type Sort<Name extends string> = Name | \`\${Name}:asc\` | \`\${Name}:desc\`
    /** An entry that is linked, perhaps at a place among the others. */
    type Connect =
      | Id
      | {
          readonly id: Id
          readonly position?: { readonly before?: Id; readonly after?: Id; readonly start?: boolean; readonly end?: boolean }
        }
    type Change<Item> = {
      readonly set?: readonly Item[] | null
      readonly connect?: readonly Item[]
      readonly disconnect?: readonly Item[]
      readonly options?: { readonly strict?: boolean }
    }
    /** The links of an entry as they are sent: all of them, or changes of them. */
    type SentLink = Connect | readonly Connect[] | Change<Connect> | null
    type SentLinks = readonly Connect[] | Connect | Change<Connect> | null
    /** Links of a polymorphic relation. */
    type AnyConnect = { readonly id: Id; readonly __type: keyof ContentTypes }
    type SentAny = AnyConnect | null
    type SentAnys = readonly AnyConnect[] | Change<AnyConnect> | null
    type Needs<Data, Names extends keyof Data> = Data & { readonly [Name in Names]-?: NonNullable<Data[Name]> }`
}

function operatorMember(operator: OperatorDescription): string {
  return `      ${operator.name}?: ${operandOf(operator)}`
}

function operandOf({ operand, isText, isOfPlugin }: OperatorDescription): string {
  if (operand === 'flag') return 'boolean'
  if (isOfPlugin) return 'unknown'
  const value = isText ? 'string | number' : 'Value'
  if (operand === 'pair') return `readonly [${value}, ${value}]`
  if (operand === 'list') return `readonly (${value} | null)[] | ${value}`
  return `${value} | null | readonly (${value})[]`
}
