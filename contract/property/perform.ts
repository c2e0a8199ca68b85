/**
 * Runs one write of a program on a server of this process and returns its outcome. It knows neither programs nor other
 * processes.
 */

import { createServer } from '@plinth/server'
import type { FastifyInstance } from 'fastify'
import type { Data, Step } from './programs.ts'
import { flatten, resolve } from './programs.ts'
import { type Application, applications } from './workshop.ts'

/** The ids of the entries that a client knows, by name. */
export type Ids = Readonly<Record<string, number>>

/** The outcome of a step. */
export interface Outcome {
  /**
   * As in HTTP; 0 if a transaction threw an error as it should, and -1 if the step names an entry that was never
   * created.
   */
  readonly status: number
  /** The message of a refusal. */
  readonly messages: readonly string[]
  /** The ids of created entries, by name. */
  readonly made: Ids
  /** The attributes of the response; for a transaction, those of each of its steps. */
  readonly answers: readonly (Data | null)[]
}

/** The last error in the log of a server of this process, because a response with status 500 does not contain it. */
let logged = ''

const logger = {
  level: 'error',
  stream: {
    write(line: string) {
      const { err, msg } = JSON.parse(line) as { err?: { stack?: string }; msg?: string }
      logged = err?.stack ?? msg ?? line
    },
  },
}

/** A server that receives the writes. */
export const openServer = (application: Application, database: unknown): Promise<FastifyInstance> =>
  createServer({ ...applications[application], database, logger })

class TakenBack extends Error {}
class Unknown extends Error {}
class Refused extends Error {
  readonly status: number
  readonly messages: readonly string[]
  constructor(status: number, messages: readonly string[]) {
    super(messages.join('; '))
    this.status = status
    this.messages = messages
  }
}

/** Never throws an error. */
export async function perform(app: FastifyInstance, step: Step, known: Ids): Promise<Outcome> {
  let made: Record<string, number> = {}
  let answers: (Data | null)[] = []
  const run = async (one: Exclude<Step, { do: 'transaction' }>) => {
    const { id, attributes } = await write(app, one, { ...known, ...made })
    if ('as' in one) made[one.as] = id!
    answers.push(attributes)
  }
  try {
    if (step.do !== 'transaction') await run(step)
    else
      await app.kernel.transaction(async () => {
        // After a conflict the transaction starts again.
        made = {}
        answers = []
        for (const one of flatten(step.steps)) await run(one)
        if (step.fails) throw new TakenBack()
      })
    return { status: 200, messages: [], made, answers }
  } catch (error) {
    return { ...outcomeOf(error), made: {}, answers: [] }
  }
}

function outcomeOf(error: unknown): { status: number; messages: readonly string[] } {
  if (error instanceof TakenBack) return { status: 0, messages: [] }
  if (error instanceof Unknown) return { status: -1, messages: [] }
  if (error instanceof Refused) return { status: error.status, messages: error.messages }
  const { status, message, stack, details, cause } = error as Error & {
    status?: number
    details?: Details
    cause?: unknown
  }
  if (status === undefined) return { status: 500, messages: [stack ?? message] }
  return { status, messages: messagesOf(message, details, status === 503 ? String(cause) : undefined) }
}

interface Details {
  readonly errors?: readonly { readonly message: string }[]
}

function messagesOf(message: string, details?: Details | null, cause?: string): string[] {
  const faults = (details?.errors ?? []).map(one => one.message)
  return faults.length > 0 ? faults : [cause === undefined ? message : `${message}: ${cause}`]
}

interface Written {
  readonly id: number | null
  readonly attributes: Data | null
}

async function write(app: FastifyInstance, step: Exclude<Step, { do: 'transaction' }>, ids: Ids): Promise<Written> {
  const { kernel } = app
  const type = kernel.contentTypes.require(step.type)
  const data = 'data' in step ? (resolve(step.data, ids) as Data | null) : {}
  const entry = 'entry' in step && step.entry !== null ? ids[step.entry] : undefined
  if (data === null || ('entry' in step && step.entry !== null && entry === undefined)) throw new Unknown()
  if (step.do === 'put') return request(app, 'PUT', `/api/${type.singularName}`, { data })
  if (step.do === 'drop') return request(app, 'DELETE', `/api/${type.singularName}?publicationState=preview`)
  if (step.do === 'translate') {
    const path = step.entry === null ? type.singularName : `${type.pluralName}/${entry}`
    return request(app, 'POST', `/api/${path}/localizations`, data)
  }
  const repository = kernel.query(step.type)
  if (step.do === 'rework') return rework(app, step, entry!)
  const path = `/api/${type.pluralName}${step.do === 'create' ? '' : `/${entry}`}`
  const method = { create: 'POST', update: 'PUT', delete: 'DELETE' } as const
  if (step.transport === 'rest') return request(app, method[step.do], path, step.do === 'delete' ? undefined : { data })
  const answer =
    step.do === 'create'
      ? await repository.create({ data })
      : step.do === 'update'
        ? await repository.update(entry!, { data })
        : await repository.delete(entry!)
  if (answer === null) throw new Refused(404, ['Not Found'])
  return { id: answer.id, attributes: answer }
}

async function rework(app: FastifyInstance, step: Extract<Step, { do: 'rework' }>, id: number): Promise<Written> {
  const repository = app.kernel.query(step.type)
  const entry = await repository.findOne(id, { populate: [step.field] })
  if (entry === null) throw new Refused(404, ['Not Found'])
  const items = (entry[step.field] as Data[]).slice(1).reverse()
  const data = {
    [step.field]: items.map(({ id, __component, ...rest }, i) => {
      const word = ['word', 'text', 'label', 'caption', 'heading', 'name'].find(name => name in rest)
      return { id, ...(__component !== undefined && { __component }), ...(word && { [word]: `${step.word}-${i}` }) }
    }),
  }
  if (items.length === 0) return { id, attributes: {} }
  const answer = await repository.update(id, { data })
  if (answer === null) throw new Refused(404, ['Not Found'])
  return { id, attributes: answer }
}

interface Body {
  readonly id?: number
  readonly data?: { readonly id: number; readonly attributes: Data } | null
  readonly error?: { readonly message: string; readonly details?: Details }
}

async function request(
  app: FastifyInstance,
  method: 'POST' | 'PUT' | 'DELETE',
  url: string,
  payload?: object,
): Promise<Written> {
  const { statusCode, payload: text } = await app.inject({ method, url, ...(payload && { payload }) })
  const body = JSON.parse(text) as Body
  if (statusCode === 500) throw new Refused(statusCode, [logged])
  if (statusCode !== 200) throw new Refused(statusCode, messagesOf(body.error?.message ?? text, body.error?.details))
  const { data } = body
  return data ? { id: data.id, attributes: data.attributes } : { id: body.id ?? null, attributes: body as Data }
}
