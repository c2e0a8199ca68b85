// The queries of the answers to writes: prepared before anything is written, once for many writes. Knows no writes.

import { type Context, systemAccess } from '../context.ts'
import type { Action, OwnMeta } from '../query/query.ts'
import type { RefusedPart } from '../query/refused-parts.ts'
import type { Params, ReadRequest } from '../query/request.ts'
import type { AnswerNode } from '../result/answer-node.ts'
import type { PreparedQuery } from '../result/execution.ts'
import { prepareAllowed } from './allowed.ts'
import type { Engine } from './engine.ts'

/** The actions that are answered with the entry that they write. */
export type AnswerAction = 'create' | 'update' | 'delete'

/** The request for a query of one entry: by default for the answer to a write. */
export type AnswerRequest<A extends Action = AnswerAction> = Pick<
  ReadRequest<A>,
  'uid' | 'action' | 'params' | 'meta' | 'isAuthorized' | 'isPartial' | 'refuseUnknown'
>

/**
 * The query of an answer that is prepared for many writes of callers with the same rights: transports pass it to the
 * writer as `answer`. They do not change it.
 */
export interface PreparedAnswer {
  readonly uid: string
  readonly action: AnswerAction
  /** The parameters of the request, without the parts that were refused. */
  readonly params: Params
  readonly meta: OwnMeta
  /** True if private attributes are shown: for trusted code. */
  readonly internal: boolean
  /** The key of the rights. */
  readonly key: string
  /** The parts that were left out (`ReadRequest.isPartial`). */
  readonly refused: readonly RefusedPart[]
  /** The form of the answer's rows. */
  readonly node: AnswerNode
  /** @internal */
  readonly prepared: PreparedQuery
}

/** Prepares the query of an answer. The right to the action must have been checked. Throws errors of parameters. */
export function prepareAnswer(engine: Engine, request: AnswerRequest, context: Context): PreparedAnswer {
  const { uid, action, meta = false, isPartial = false, refuseUnknown = false } = request
  const internal = context.access === systemAccess
  const baseRequest = { uid, action, params: request.params, id: 0, meta, internal, isAuthorized: true }
  const readRequest = { ...baseRequest, isPartial, refuseUnknown }
  const { prepared, request: left, refused } = prepareAllowed(engine, readRequest, context)
  const { params } = left
  const node = prepared.compiled.root
  return { uid, action, params, meta, internal, key: context.access.key, refused, node, prepared }
}

/** Returns whether a prepared query is the one of a request: the rights are the same, and so is what is asked. */
export function isAnswerTo(answer: PreparedAnswer, request: Omit<AnswerRequest, 'params'>, context: Context): boolean {
  const { uid, action, meta = false } = request
  const { access } = context
  if (answer.uid !== uid || answer.action !== action || answer.meta !== meta) return false
  return answer.key === access.key && answer.internal === (access === systemAccess)
}
