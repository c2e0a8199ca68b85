/** The two processes that write: this one, and a child that receives each step as a message. */

import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { type Ids, type Outcome, openServer, perform } from './perform.ts'
import type { Step } from './programs.ts'
import type { Application } from './workshop.ts'

export interface Process {
  perform(step: Step, known: Ids): Promise<Outcome>
  close(): Promise<void>
}

/** A message to the child. */
export interface Order {
  readonly number: number
  readonly step: Step
  readonly known: Ids
}

/** A message of the child; a number below 0 reports that it is ready. */
export interface Reply {
  readonly number: number
  readonly outcome: Outcome
}

export function inProcess(app: FastifyInstance): Process {
  return { perform: (step, known) => perform(app, step, known), close: () => app.close() }
}

/** Starts a child on the same database. Rejects if the child does not start. */
export async function startChild(application: Application, database: unknown): Promise<Process> {
  const path = join(import.meta.dirname, 'child.ts')
  const child = fork(path, [application, JSON.stringify(database)], { execArgv: [] })
  const waiting = new Map<number, { resolve(outcome: Outcome): void; reject(error: Error): void }>()
  let sent = 0
  child.on('message', ({ number, outcome }: Reply) => {
    waiting.get(number)?.resolve(outcome)
    waiting.delete(number)
  })
  child.once('exit', code => {
    for (const { reject } of waiting.values()) reject(new Error(`the second process ended with ${code}`))
  })
  const answer = (number: number) =>
    new Promise<Outcome>((resolve, reject) => void waiting.set(number, { resolve, reject }))
  await answer(-1)
  return {
    perform(step, known) {
      const number = sent++
      const answered = answer(number)
      child.send({ number, step, known } satisfies Order)
      return answered
    },
    close: () => end(child),
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  const ended = once(child, 'exit')
  child.disconnect()
  await ended
}

/** The part that runs in the child. */
export async function serveParent(application: Application, database: unknown): Promise<void> {
  const app = await openServer(application, database)
  const send = (reply: Reply) => void process.send!(reply)
  process.on('message', ({ number, step, known }: Order) => {
    perform(app, step, known).then(
      outcome => send({ number, outcome }),
      error => {
        throw error
      },
    )
  })
  process.once('disconnect', () => void app.close())
  send({ number: -1, outcome: { status: 200, messages: [], made: {}, answers: [] } })
}
