// What a newcomer does in an empty folder, from the first command to an upgrade: commands, and what they print. Knows the
// steps and how their output is masked, but not how the packages got packed.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

/** Where the run takes place. */
export interface Place {
  /** An empty folder but for `tarballs`, and `next` with those of a later version. */
  readonly dir: string
  readonly env: NodeJS.ProcessEnv
  /** Called with the application after npm has locked its packages. */
  readonly locked: (dir: string) => Promise<void>
}

/** The port that is shown; the run has another one. */
const shownPort = '1337'

/** Runs everything. Returns the transcript in Markdown. Throws an error with the output of the first command that fails. */
export async function newcomersRun({ dir, env, locked }: Place): Promise<string> {
  const run = new Transcript(dir, env)
  run.say(
    '## Create\n\nThe packages are tarballs in the folder `tarballs`, which `npx pnpm@10 tarballs` makes in a clone of the repository.',
  )
  const create = 'create-plinth library --yes --tarballs tarballs'
  const needed = ['create-plinth', 'plinth-v4', 'plinth-custom-fields'].map(
    name => `--package=./tarballs/${name}-0.0.0.tgz`,
  )
  await run.command(`npx --yes ${needed.join(' ')} ${create}`)
  run.folder = 'library'
  await locked(join(dir, 'library'))
  await run.command('npm test --silent')
  await run.command('npm run types --silent')

  run.say('## Develop\n\nIn a second terminal:')
  const dev = await run.background('npm run dev --silent', /restarts when its files change/)
  run.say('A new content type, which the running server takes up:')
  await run.command('npx plinth generate api book title:string:required pages:integer')
  await dev.printed(/Restarted in/)
  run.say('Rights for it, in `config/plugins.ts`: everybody reads books, and whoever has logged in writes them.')
  const restarts = dev.count(/Restarted in/g)
  await run.edit('config/plugins.ts', [
    ["  'api::article.article.find',\n", "  'api::article.article.find',\n  'api::book.book.find',\n"],
    ["  'api::article.article.create',\n", "  'api::article.article.create',\n  'api::book.book.create',\n"],
  ])
  await dev.until(() => dev.count(/Restarted in/g) > restarts)

  run.say('## Register and log in')
  const json = "-H 'content-type: application/json'"
  const account = '{"username": "ada", "email": "ada@example.com", "password": "a long password"}'
  await run.command(`curl -s localhost:1337/api/auth/local/register ${json} -d '${account}'`)
  const login = '{"identifier": "ada", "password": "a long password"}'
  const answer = await run.command(`curl -s localhost:1337/api/auth/local ${json} -d '${login}'`)
  const { jwt } = JSON.parse(answer) as { jwt: string }
  run.env.JWT = jwt
  run.say('The token of the answer is in `$JWT` from here on.')

  run.say('## Write and query')
  const bearer = '-H "authorization: Bearer $JWT"'
  const book = '{"data": {"title": "Ink", "pages": 80}}'
  await run.command(`curl -s localhost:1337/api/books ${json} -d '${book}'`)
  await run.command(`curl -s localhost:1337/api/books ${bearer} ${json} -d '${book}'`)
  await run.command(`curl -sg 'localhost:1337/api/books?filters[pages][$gt]=50&fields=title'`)
  const query = '{ books(filters: { pages: { gt: 50 } }) { data { id attributes { title } } } }'
  await run.command(`curl -s localhost:1337/graphql ${json} -d '{"query": "${query}"}'`)

  run.say('## Upload')
  await run.command(`echo 'Remember the ink.' > note.txt`)
  const uploaded = await run.command(`curl -s localhost:1337/api/upload ${bearer} -F files=@note.txt`)
  const [{ url }] = JSON.parse(uploaded) as [{ url: string }]
  await run.command(`curl -s localhost:1337${url}`)
  await dev.stop()

  run.say('## Deploy\n\nCtrl+C has ended the server. On the machine that serves, without the data of this one:')
  await run.command('mkdir ../server')
  await run.command('cp -r package.json package-lock.json tarballs config database src ../server')
  run.folder = 'server'
  await run.command('npm ci --omit=dev --no-audit --no-fund --loglevel=error')
  run.env = { ...run.env, NODE_ENV: 'production', JWT_SECRET: 'x'.repeat(43) }
  run.say('`NODE_ENV` is `production` there, and `JWT_SECRET` a random value.')
  const program = 'node node_modules/@plinth/cli/dist/bin.js'
  await run.command(`${program} migrate apply`)
  const server = await run.background(`${program} start`, /listening/i)
  await run.command("curl -s -o /dev/null -w '%{http_code}\\n' localhost:1337/_health/ready")
  await run.command('curl -s localhost:1337/api/books')
  await server.stop()

  run.say('## Upgrade\n\nThe folder `next` has a later version. Back in the folder of the application:')
  run.folder = 'library'
  run.env = { ...run.env, NODE_ENV: undefined, JWT_SECRET: undefined }
  await run.command('npx plinth --version')
  const { dependencies, devDependencies } = JSON.parse(await readFile(join(dir, 'library/package.json'), 'utf8'))
  const chosen = Object.keys({ ...dependencies, ...devDependencies }).filter(name => name.startsWith('@plinth/'))
  const tarballs = chosen.map(name => `../next/${name.slice(1).replace('/', '-')}-[0-9]*.tgz`)
  await run.command(`npm install --no-audit --no-fund --loglevel=error ${tarballs.join(' ')}`)
  await run.command('npx plinth --version')
  await run.command('npm test --silent')
  await run.command('npx plinth migrate status')
  const upgraded = await run.background('npx plinth start', /listening/i)
  await run.command(`curl -sg 'localhost:1337/api/books?fields[0]=title&fields[1]=pages'`)
  await upgraded.stop()
  return `${run.text}\n`
}

/** A program that runs beside the commands. */
class Background {
  readonly #child: ReturnType<typeof spawn>
  text = ''

  constructor(child: ReturnType<typeof spawn>) {
    this.#child = child
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', chunk => {
        this.text += chunk
      })
  }

  printed(pattern: RegExp): Promise<void> {
    return this.until(() => pattern.test(this.text))
  }

  count(pattern: RegExp): number {
    return this.text.match(pattern)?.length ?? 0
  }

  /** Throws an error with the output if it ends, or after a minute. */
  async until(holds: () => boolean): Promise<void> {
    for (const last = Date.now() + 60_000; !holds(); await delay(50))
      if (Date.now() > last || this.#child.exitCode !== null) throw new Error(`Waited in vain:\n${this.text}`)
  }

  /** Ends it as Ctrl+C does: the signal goes to the whole group. */
  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return
    process.kill(-this.#child.pid!, 'SIGINT')
    await once(this.#child, 'exit')
  }
}

class Transcript {
  readonly #dir: string
  readonly #parts: string[] = []
  folder = '.'
  env: NodeJS.ProcessEnv

  constructor(dir: string, env: NodeJS.ProcessEnv) {
    this.#dir = dir
    this.env = env
  }

  get text(): string {
    return this.#parts.join('\n\n')
  }

  say(text: string): void {
    this.#parts.push(text)
  }

  /** Runs a command line and records it. Returns what it printed. Throws an error if its exit code is not 0. */
  async command(line: string): Promise<string> {
    const child = this.#spawn(line)
    let text = ''
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', chunk => {
        text += chunk
      })
    const [code] = (await once(child, 'close')) as [number]
    if (code !== 0) throw new Error(`${line}: exit code ${code}\n${text}`)
    this.#record(line, text)
    return text
  }

  /** Starts a command that runs on, and waits until it has printed this. */
  async background(line: string, pattern: RegExp): Promise<Background> {
    const running = new Background(this.#spawn(line))
    await running.printed(pattern)
    await delay(200)
    this.#record(line, running.text)
    return running
  }

  /** Changes texts of a file, and records the new lines. */
  async edit(path: string, changes: readonly (readonly [string, string])[]): Promise<void> {
    const file = join(this.#dir, this.folder, path)
    let text = await readFile(file, 'utf8')
    for (const [from, to] of changes) {
      if (!text.includes(from)) throw new Error(`${path} has no ${from}`)
      text = text.replace(from, to)
    }
    await writeFile(file, text)
    const added = changes.map(([from, to]) => to.replace(from, '').replace(/^/gm, '+').replace(/\+$/, ''))
    this.#parts.push(`\`\`\`diff\n${added.join('')}\`\`\``)
  }

  #spawn(line: string) {
    const shown = line.replaceAll(`localhost:${shownPort}`, `127.0.0.1:${this.env.PORT}`)
    const cwd = join(this.#dir, this.folder)
    return spawn('sh', ['-c', shown], { cwd, env: this.env, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  }

  #record(line: string, output: string): void {
    const printed = masked(output, this.#dir, this.env.PORT!).trimEnd()
    const command = masked(line, this.#dir, this.env.PORT!)
    this.#parts.push(`\`\`\`console\n$ ${command}\n${printed === '' ? '' : `${printed}\n`}\`\`\``)
  }
}

/** Output without what differs from run to run. */
function masked(text: string, dir: string, port: string): string {
  return text
    .replaceAll(dir, '…')
    .replaceAll(new RegExp(`(127\\.0\\.0\\.1|localhost):${port}`, 'g'), `$1:${shownPort}`)
    .replaceAll(new RegExp(`"port":"?${port}`, 'g'), `"port":${shownPort}`)
    .replaceAll(/^npm warn .*\n/gm, '')
    .replaceAll(/eyJ[\w-]+\.[\w-]+\.[\w-]+/g, '<token>')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
    .replaceAll(/(?<=note_)[0-9a-f]{10}\b/g, '<random>')
    .replaceAll(/"(hash|pid|hostname|time|reqId)":("[^"]*"|\d+)/g, '"$1":"<$1>"')
    .replaceAll(/\d+(?:\.\d+)? ?ms\b/g, '<time>')
    .replaceAll(/duration_ms [\d.]+/g, 'duration_ms <time>')
    .replaceAll(/(added|changed|removed) \d+ packages?/g, '$1 <number> packages')
    .replaceAll(/ in \d+m?s\b/g, ' in <time>')
}
