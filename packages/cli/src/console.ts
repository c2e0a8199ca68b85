// `plinth console`: the application in a REPL, or one piece of code for scripts.

import { createKernel, type Kernel } from '@plinth/kernel'
import type { FastifyInstance } from 'fastify'
import { defineCommand } from '#citty'
import { errorLog } from './error-log.ts'
import { Failure } from './failure.ts'
import { closing, dirOption, folderOf } from './open.ts'
import { hasServer, loadServer } from './server-package.ts'
import { withExamples } from './usage.ts'

/** The objects that code in the console finds by name. */
interface Scope {
  readonly kernel: Kernel
  /** The server, which does not listen; `app.inject` sends it requests. Null without @plinth/server. */
  readonly app: FastifyInstance | null
}

export const consoleCommand = withExamples(
  defineCommand({
    meta: { name: 'console', description: 'run code in the application: kernel, app and await are there' },
    args: {
      dir: dirOption,
      eval: { type: 'string', description: 'run this code, print its value, and end', valueHint: 'code' },
    },
    run: ({ args }) =>
      inApplication(folderOf(args.dir), async scope => {
        if (args.eval === undefined) await runRepl(scope)
        else print(await evaluate(args.eval, scope))
      }),
  }),
  [
    'plinth console                                  # then: await kernel.query("api::book.book").count()',
    'plinth console --eval \'await kernel.query("api::book.book").findMany({ sort: "title" })\'',
    'plinth console --eval \'(await app.inject("/api/books")).json()\'',
  ],
)

/** Starts the application as a start does, but without listening, and closes it after `work`. */
async function inApplication(dir: string, work: (scope: Scope) => Promise<void>): Promise<void> {
  if (!hasServer()) {
    const kernel = await createKernel({ dir, logger: errorLog })
    return closing(
      () => kernel.close(),
      () => work({ kernel, app: null }),
    )
  }
  const { createServer, plainLog } = await loadServer('plinth console')
  const app = await createServer({ dir, logger: plainLog() })
  return closing(
    () => app.close(),
    () => work({ kernel: app.kernel, app }),
  )
}

const AsyncFunction = (async () => {}).constructor as new (
  ...parts: readonly string[]
) => (kernel: Kernel, app: FastifyInstance | null) => Promise<unknown>

/** The value of an expression, or of `return` in statements. Throws what the code throws. */
async function evaluate(code: string, { kernel, app }: Scope): Promise<unknown> {
  return compile(code)(kernel, app)
}

function compile(code: string) {
  try {
    return new AsyncFunction('kernel', 'app', `return (${code}\n)`)
  } catch {
    // It is not an expression.
  }
  try {
    return new AsyncFunction('kernel', 'app', code)
  } catch (error) {
    throw new Failure(`--eval: ${(error as Error).message}`)
  }
}

/** Prints text as it is and other values as JSON, for scripts. */
function print(value: unknown): void {
  if (value === undefined) return
  console.log(typeof value === 'string' ? value : JSON.stringify(value, null, 2))
}

/** Reads lines until the end of the input or `.exit`. */
async function runRepl({ kernel, app }: Scope): Promise<void> {
  const { start } = await import('node:repl')
  const isTerminal = process.stdin.isTTY === true && process.stdout.isTTY === true
  if (isTerminal) console.log('kernel and app are there, and await works. .exit or Ctrl+D ends it.')
  const repl = start({
    prompt: isTerminal ? 'plinth> ' : '',
    terminal: isTerminal,
    useColors: isTerminal,
    ignoreUndefined: !isTerminal,
  })
  Object.assign(repl.context, { kernel, app })
  await new Promise(resolve => repl.once('exit', resolve))
}
