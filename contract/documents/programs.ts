// Finds faults of the command lines of documents, by their programs: commands and options of `plinth` and `create-plinth`
// that do not exist, and packages and scripts of npm and pnpm. Runs no command: its words are checked before it would run,
// so that `--help` behind them is enough.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import type { Command, Plugin } from '@plinth/kernel'
import { runHere } from '@plinth/test-tools/command'
import { root } from '@plinth/test-tools/documents'
import { run as plinth } from '../../packages/cli/src/index.ts'
import { run as createPlinth } from '../../packages/create-plinth/src/index.ts'
import { manifestFiles } from '../../packages/create-plinth/src/project/manifest.ts'
import type { CommandLine } from './command-lines.ts'

/** Programs whose words are not checked, with the reason. */
export const otherPrograms: Readonly<Record<string, string>> = {
  cd: 'a folder of the reader',
  mkdir: 'a folder of the reader',
  cp: 'files of the reader',
  tar: 'files of the reader',
  echo: 'prints a text',
  export: 'a variable of the reader',
  curl: 'apps/docs/test/requests.test.ts, or the test of the page, sends its request',
  uuidgen: 'a program of the system',
  openssl: 'a program of the system',
  docker: 'machines of tests need not have it; what it runs in the container is looked at',
  sqlite3: 'a program of the database',
  pg_dump: 'a program of the database',
  'mariadb-dump': 'a program of the database',
  'openapi-typescript': 'a program of others, which acceptance/clients runs',
  tsc: 'the compiler',
  biome: 'the formatter',
  'run-tests': 'the program of the tests',
}

/** A package of the workspace. */
interface Manifest {
  readonly name: string
  readonly private?: boolean
  readonly scripts?: Readonly<Record<string, string>>
}

const manifestAt = (folder: string): Manifest => JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))

/** The packages of the workspace with their folders, by name. */
const workspace = new Map(
  ['.', 'contract', 'bench', 'release', ...['packages', 'apps', 'acceptance'].flatMap(foldersIn)].map(folder => {
    const manifest = manifestAt(folder)
    return [manifest.name, { folder, manifest }] as const
  }),
)

function foldersIn(parent: string): string[] {
  return readdirSync(join(root, parent))
    .map(name => `${parent}/${name}`)
    .filter(folder => existsSync(join(root, folder, 'package.json')))
}

/** The scripts of an application that create-plinth makes. */
const scriptsOfApplications: Readonly<Record<string, string>> = JSON.parse(
  manifestFiles({
    choices: { name: 'library', language: 'ts', database: 'sqlite', plugins: new Set() },
    ranges: new Map(),
  })['package.json']!,
).scripts

/** The commands of pnpm that documents use, beside `exec`. */
const commandsOfPnpm = ['install', 'add', 'deploy', 'audit']

/** Finds faults of command lines; `dir` is an application that enables all plugins with commands. */
export class CommandCheck {
  readonly #dir: string
  readonly #plugins: readonly Plugin[]
  /** The names of the programs that were called. */
  readonly programs = new Set<string>()
  /** Scripts of the packages that the documents themselves show, by their documents. */
  readonly #shown: ReadonlyMap<string, readonly string[]>

  constructor(dir: string, plugins: readonly Plugin[], shown: ReadonlyMap<string, readonly string[]>) {
    this.#dir = dir
    this.#plugins = plugins
    this.#shown = shown
  }

  /** Returns what is wrong with a command; null if nothing is. */
  async faultOf({ words, document }: Pick<CommandLine, 'words' | 'document'>): Promise<string | null> {
    const [program, ...behind] = words
    if (program === undefined) return null
    const name = program.split('/').at(-1)!
    const further = (words: readonly string[]) => this.faultOf({ words, document })
    this.programs.add(name)
    if (name === 'plinth') return this.#plinth(behind)
    if (name === 'create-plinth') return faultOfRun(createPlinth, behind)
    if (name === 'npx') return this.#npx(behind, document)
    if (name === 'npm') return this.#npm(behind, document)
    if (/^pnpm(?:@\d+)?$/.test(name)) return this.#pnpm(behind, document)
    if (name === 'node') return nodeWordsOf(behind) === null ? null : this.#plinth(nodeWordsOf(behind)!)
    if (name === 'docker') {
      const inner = behind.findIndex(word => word.endsWith('/plinth'))
      return inner < 0 ? null : further(behind.slice(inner))
    }
    return Object.hasOwn(otherPrograms, name) ? null : `the program "${name}" is not known here`
  }

  async #plinth(words: readonly string[]): Promise<string | null> {
    return (await faultOfRun(plinth, words, this.#dir)) ?? this.#faultOfNumber(words)
  }

  /** The command of a plugin names the words that it takes, and takes no more of them. */
  #faultOfNumber([group = '', name = '', ...behind]: readonly string[]): string | null {
    const command = this.#plugins.map(({ plinth }) => plinth.commands?.[group]?.commands[name]).find(Boolean)
    if (command === undefined) return null
    const count = wordsIn(command, behind).length
    const { words = [] } = command
    return count <= words.length ? null : `"plinth ${group} ${name}" takes ${words.length} words, and not ${count}`
  }

  async #npx(words: readonly string[], document: string): Promise<string | null> {
    const packages: string[] = []
    let at = 0
    for (; words[at]?.startsWith('-'); at++) {
      if (words[at] === '-p') packages.push(words[++at]!)
      else if (words[at]!.startsWith('--package=')) packages.push(words[at]!.slice('--package='.length))
      else if (words[at] !== '--yes' && words[at] !== '-y') return `the option ${words[at]} of npx is not known here`
    }
    return faultOfPackages(packages) ?? this.faultOf({ words: words.slice(at), document })
  }

  async #npm([command = '', ...words]: readonly string[], document: string): Promise<string | null> {
    const names = words.filter(word => !word.startsWith('-'))
    if (command === 'install' || command === 'ci') return faultOfPackages(names)
    if (command === 'create') {
      const [name, ...behind] = words
      if (!/^plinth(?:@latest)?$/.test(name ?? '')) return `npm create ${name} is not known here`
      return faultOfRun(
        createPlinth,
        behind.filter(word => word !== '--'),
      )
    }
    if (command === 'publish') return null
    const script = command === 'run' ? names[0]! : command
    const scripts = [...Object.keys(scriptsOfApplications), ...(this.#shown.get(document) ?? [])]
    return scripts.includes(script) ? null : `there is no script "${script}"; there are ${scripts.join(', ')}`
  }

  async #pnpm(words: readonly string[], document: string): Promise<string | null> {
    const filters = words.flatMap((word, i) =>
      /^--filter$/.test(word) ? [words[i + 1]!] : (word.split('--filter=')[1] ?? []),
    )
    const [command = '', ...behind] = words.filter((word, i) => !word.startsWith('-') && words[i - 1] !== '--filter')
    // An application of the reader, which is not in the repository.
    const own = ['library', 'application']
    const missingPackage = filters.find(name => !workspace.has(name) && !own.includes(name))
    if (missingPackage !== undefined) return `there is no package "${missingPackage}"`
    if (command === '' || commandsOfPnpm.includes(command)) return command === 'add' ? faultOfPackages(behind) : null
    if (command === 'exec') return this.#exec(words.slice(words.indexOf('exec') + 1), filters[0], document)
    const script = command === 'run' ? behind[0]! : command
    const scripts =
      filters[0] === undefined || workspace.has(filters[0])
        ? Object.keys(workspace.get(filters[0] ?? 'plinth-workspace')!.manifest.scripts ?? {})
        : Object.keys(scriptsOfApplications)
    return scripts.includes(script) ? null : `there is no script "${script}"; there are ${scripts.join(', ')}`
  }

  /** In the folder of a package, the files that `node` is given exist. */
  #exec(
    words: readonly string[],
    filter: string | undefined,
    document: string,
  ): Promise<string | null> | string | null {
    const folder = filter === undefined ? undefined : workspace.get(filter)?.folder
    const [program, file] = words
    if (program === 'node' && folder !== undefined && !existsSync(join(root, folder, file!)))
      return `there is no file ${folder}${sep}${file}`
    return this.faultOf({ words, document })
  }
}

/** The words of the command `plinth` that is called by its file; null for other files. */
function nodeWordsOf(words: readonly string[]): readonly string[] | null {
  const at = words.findIndex(word => word.endsWith('@plinth/cli/dist/bin.js'))
  return at < 0 ? null : words.slice(at + 1)
}

/** The words of a command that are neither options nor their values. */
function wordsIn({ options = {} }: Command, words: readonly string[]): string[] {
  const valued = Object.entries(options).flatMap(([name, { type }]) => (type === 'string' ? [`--${name}`] : []))
  return words.filter((word, i) => !word.startsWith('-') && ![...valued, '--dir'].includes(words[i - 1] ?? ''))
}

/** Asks a program for its help, which it prints unless a word before is wrong. */
async function faultOfRun(
  run: (words: readonly string[]) => Promise<number>,
  words: readonly string[],
  dir?: string,
): Promise<string | null> {
  const { code, err } = await runHere(run, [...words, '--help'], {}, dir)
  return code === 0 ? null : err.trim()
}

/** Packages of this repository exist and are public, by name or as a tarball; those of others are not looked up. */
function faultOfPackages(names: readonly string[]): string | null {
  const own = names.flatMap(name => {
    const [, tarball] = /(?:^|\/)((?:create-)?plinth-?[a-z0-9-]*?)-(?:0\.0\.0|\[0-9\]\*)\.tgz$/.exec(name) ?? []
    if (tarball !== undefined) return [tarball.replace(/^plinth-/, '@plinth/')]
    return name.startsWith('@plinth/') || name.endsWith('.tgz') ? [name.replace(/@latest$/, '')] : []
  })
  const missingPackage = own.find(
    name => workspace.get(name) === undefined || workspace.get(name)!.manifest.private === true,
  )
  return missingPackage === undefined ? null : `there is no package ${missingPackage}`
}
