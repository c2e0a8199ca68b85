// How a field that a plugin resolves shows an entry: what the operation selects below the field is asked for together with
// the plugin's write or read, and tied to the fields as the answer of a generated field is. It knows no operation of a
// plugin.

import type { Action, Context, Kernel, Params, ReadResult, RowCount } from '@plinth/kernel'
import { getNamedType, type GraphQLResolveInfo, isObjectType } from 'graphql'
import { rootObject } from '../answer/objects.ts'
import type { Refusals } from '../answer/refused.ts'
import { fieldQuestion, type InheritedByNode, type QuestionRules } from '../operation/question.ts'
import { type ReadResponse, readResponse } from '../operation/reader.ts'
import { prepareAllowed } from './refusals.ts'

/** What responses are made with. */
export interface ResponseTools {
  readonly kernel: Kernel
  readonly rules: QuestionRules
}

/** The answer of one field whose type is the generated `{ data }` of a content type. */
export class EntryResponse {
  readonly #tools: ResponseTools
  readonly #info: GraphQLResolveInfo
  readonly #rowCount: RowCount
  readonly #selected: ReadResponse
  #refusals: Refusals = new Map()
  #inherited: InheritedByNode = new Map()

  /** `rowCount`: the rows of the operation. Throws a TypeError for a field of another type. */
  constructor(tools: ResponseTools, info: GraphQLResolveInfo, rowCount: RowCount) {
    this.#tools = tools
    this.#rowCount = rowCount
    this.#info = info
    const type = getNamedType(info.returnType)
    const selected = isObjectType(type)
      ? readResponse(info, info.variableValues, { type, nodes: info.fieldNodes })
      : null
    if (selected === null)
      throw new TypeError(`${info.parentType.name}.${info.fieldName} has not the type of a content type's response`)
    this.#selected = selected
  }

  /** The uid of the content type. */
  get uid(): string {
    return this.#selected.node.type.uid
  }

  /**
   * The parameters of a write's answer: what is selected, without what `context` may not ask for, which becomes null with
   * an error. The right to the action itself belongs to the plugin. Throws the error of a selection that is wrong.
   */
  params(action: Action, context: Context): Params {
    const { uid } = this
    const { prepared, refusals } = prepareAllowed(this.#params(action), left => {
      this.#tools.kernel.reader.check({ uid, action, isAuthorized: true }, left, context)
      return left
    })
    this.#refusals = refusals
    return prepared
  }

  /** The object of what a write with these parameters has answered, or of no entry. */
  show(result: ReadResult | null): unknown {
    const { rows = null, entries } = result ?? {}
    return rootObject(this.#selected.output, {
      rows,
      entries,
      page: null,
      refusals: this.#refusals,
      inherited: this.#inherited,
    })
  }

  /** The object of the entry with this id, with the rights of `context`. */
  async read(id: number, context: Context): Promise<unknown> {
    const { uid } = this
    const { reader } = this.#tools.kernel
    const { prepared, refusals } = prepareAllowed(this.#params('findOne'), params =>
      reader.prepare({ action: 'findOne', options: { uid, id }, params }, context),
    )
    this.#refusals = refusals
    return this.show(await reader.run(prepared, { ...context, rowCount: this.#rowCount }, id))
  }

  #params(action: Action): Params {
    const { rules } = this.#tools
    const about = { variables: this.#info.variableValues, rules, inherited: new Map(), action }
    const { params, inherited } = fieldQuestion(this.#selected.node, about)
    this.#inherited = inherited
    return params
  }
}
