// The answer of a field that a plugin resolves and that shows an entry: what the operation selects below the field is
// asked for together with the plugin's write or read, and tied to the fields as the answer of a generated field is. It
// knows no operation of a plugin.

import type { Action, Context, Kernel, Params, PreparedAnswer, ReadResult, RowCount, WriteAction } from '@plinth/kernel'
import { type GraphQLResolveInfo, getNamedType, isObjectType } from 'graphql'
import { rootObject } from '../answer/objects.ts'
import { noRefusals, type Refusals, refusalsOf } from '../answer/refused.ts'
import { fieldQuestion, type InheritedByNode, type QuestionRules } from '../operation/question.ts'
import { type ReadResponse, readResponse } from '../operation/reader.ts'

/** The tools with which responses are made. */
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
  #refusals: Refusals = noRefusals
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
   * The query of a write's answer: what is selected, without what `context` may not ask for, which becomes null with an
   * error. The right to the action itself belongs to the plugin. Throws the error of a selection that is wrong.
   */
  answer(action: WriteAction, context: Context): PreparedAnswer {
    const { uid } = this
    const request = { uid, action, params: this.#params(action), isAuthorized: true, isPartial: true }
    const answer = this.#tools.kernel.reader.prepareAnswer(request, context)
    this.#refusals = refusalsOf(answer.refused)
    return answer
  }

  /** Checks the selection before a write whose entry is then read. Throws as `answer` does. */
  check(context: Context): void {
    const action = 'findOne'
    const request = {
      uid: this.uid,
      action,
      params: this.#params(action),
      isAuthorized: true,
      isPartial: true,
    } as const
    this.#tools.kernel.reader.check(request, context)
  }

  /** The object of what a write with this answer has returned, or of no entry. */
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
    const request = { uid, action: 'findOne', id, params: this.#params('findOne'), isPartial: true } as const
    const prepared = reader.prepare(request, context)
    this.#refusals = refusalsOf(prepared.refused)
    return this.show(await reader.run(prepared, { ...context, rowCount: this.#rowCount }, id))
  }

  #params(action: Action): Params {
    const { rules } = this.#tools
    const scope = { variables: this.#info.variableValues, rules, inherited: new Map(), action }
    const { params, inherited } = fieldQuestion(this.#selected.node, scope)
    this.#inherited = inherited
    return params
  }
}
