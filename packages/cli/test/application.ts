// Applications and long-running commands for tests.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Test } from 'tap'

/** A content type `note` with these attributes, as text. */
export const noteSchema = (attributes: object) =>
  JSON.stringify({
    kind: 'collectionType',
    collectionName: 'notes',
    info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
    attributes,
  })

export const schemaFile = 'src/api/note/content-types/note/schema.json'

const files = {
  'config/plugins.json': JSON.stringify({ rest: true, graphql: true }),
  [schemaFile]: noteSchema({ title: { type: 'string' } }),
}

/** A folder with an application of one content type, and of these files; without the files that are null. */
export async function application(t: Test, more: Readonly<Record<string, string | null>> = {}) {
  const dir = await realpath(await mkdtemp(join(tmpdir(), 'plinth-cli-')))
  t.teardown(() => rm(dir, { recursive: true, force: true, maxRetries: 5 }))
  const write = async (name: string, text: string) => {
    await mkdir(dirname(join(dir, name)), { recursive: true })
    await writeFile(join(dir, name), text)
  }
  for (const [name, text] of Object.entries({ ...files, ...more })) if (text !== null) await write(name, text)
  const port = await freePort()
  const env = { PORT: String(port), DATABASE_CLIENT: 'sqlite', DATABASE_FILENAME: join(dir, '.data/test.db') }
  return { dir, write, env, address: `http://127.0.0.1:${port}` }
}

/** A port that no server uses. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}

/** A command that runs until it is stopped. */
export class Running {
  readonly process: ChildProcess
  #text = ''
  /** How it ended: its exit code, or the signal. */
  readonly ended: Promise<number | string>

  /** It is killed after the test, if it still runs. */
  constructor(t: Test, args: readonly string[], env: Readonly<Record<string, string>>) {
    const bin = join(import.meta.dirname, '../src/bin.ts')
    const variables = { ...process.env, NODE_OPTIONS: process.env.PLINTH_PRELOAD ?? '', ...env }
    this.process = spawn(process.execPath, [bin, ...args], { env: variables, stdio: ['ignore', 'pipe', 'pipe'] })
    for (const stream of [this.process.stdout, this.process.stderr])
      stream?.on('data', chunk => {
        this.#text += chunk
      })
    this.ended = once(this.process, 'exit').then(([code, signal]) => code ?? signal)
    t.teardown(async () => {
      this.process.kill('SIGKILL')
      await this.ended
    })
  }

  /** All that it has printed. */
  get text(): string {
    return this.#text
  }

  /** Waits until it has printed this, in what follows the text that was printed before `from`. */
  async printed(pattern: RegExp, from = 0): Promise<void> {
    await until(
      () => pattern.test(this.#text.slice(from)),
      () => `${pattern} in:\n${this.#text}`,
    )
  }
}

/** Waits until something holds; throws an error with `what` after a minute. */
export async function until(holds: () => boolean | Promise<boolean>, what: () => string): Promise<void> {
  const last = Date.now() + 60_000
  while (!(await holds())) {
    if (Date.now() > last) throw new Error(`Waited in vain for ${what()}`)
    await delay(25)
  }
}

/** Whether a process exists. */
export function exists(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
