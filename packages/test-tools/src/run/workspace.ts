// `pnpm test [packages or files] [--databases …] [--changed]`: runs types, lint and tests of all packages, or of those
// that are named, by turbo; prints what happens while it runs, and at the end each failure with the command that runs
// that file alone.

import { spawn } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { join, relative, resolve, sep } from 'node:path'
import { parseArgs } from 'node:util'
import { type Client, databases, leftDatabases } from '../databases.ts'
import { needsRedis } from '../redis.ts'
import { packageFolders, readReport, root } from './reports.ts'
import { TurboOutput } from './turbo-output.ts'

/** Minutes that all tests took on a machine with two cores and nothing beside it, measured with nothing in the cache. */
const minutes = (names: readonly Client[]) => (names.length === 1 ? 6 : 15)

/** What the command line asks for. Throws an error for what does not exist. */
function readCommand() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { databases: { type: 'string' }, changed: { type: 'boolean', default: false } },
  })
  const folders = packageFolders()
  const paths = positionals.map(path =>
    relative(root, resolve(process.env.INIT_CWD ?? root, path)).replaceAll(sep, '/'),
  )
  const packages: string[] = []
  const files = new Map<string, string[]>()
  for (const path of paths) {
    const folder = folders.find(one => path === one || path.startsWith(`${one}/`))
    if (folder === undefined) throw new Error(`"${path}" is not a package with tests; there are ${folders.join(', ')}`)
    if (!existsSync(join(root, path))) throw new Error(`"${path}" does not exist`)
    if (path === folder) packages.push(folder)
    else files.set(folder, [...(files.get(folder) ?? []), path.slice(folder.length + 1)])
  }
  if (values.databases !== undefined) process.env.DATABASES = values.databases
  return { packages, files, isChangedOnly: values.changed, folders }
}

/** Runs a program to its end and returns its exit code; `read` receives what it prints. */
function run(program: string, words: readonly string[], cwd: string, read?: (text: string) => void): Promise<number> {
  const child = spawn(program, words, {
    cwd,
    stdio: ['inherit', read === undefined ? 'inherit' : 'pipe', 'inherit'],
    shell: process.platform === 'win32',
  })
  child.stdout?.setEncoding('utf8').on('data', read ?? (() => {}))
  return new Promise((done, reject) => {
    child.once('error', reject)
    child.once('close', code => done(code ?? 1))
  })
}

/** Runs a script of the root, and prints its output if it fails. */
async function checkAll(script: string): Promise<number> {
  const began = performance.now()
  let printed = ''
  const pnpm = join(root, 'node_modules/.bin/pnpm')
  const code = await run(pnpm, ['run', '--silent', script], root, text => {
    printed += text
  })
  const seconds = Math.round((performance.now() - began) / 1000)
  console.log(code === 0 ? `${script}: passed, ${seconds} s` : `${script}: failed\n${printed}`)
  return code
}

/** Prints which databases the tests run on, and how long that takes. */
async function announce(isWhole: boolean): Promise<void> {
  const names = await databases()
  const { skip } = await needsRedis()
  const left = [...(await leftDatabases()), ...(skip === false ? [] : [skip])]
  console.log(`Tests run on ${names.join(', ')}${left.length > 0 ? `; not on ${left.join('; ')}` : ''}.`)
  if (isWhole)
    console.log(`All of them take about ${minutes(names)} minutes on two cores, less if turbo remembers some.`)
  // Cached results of runs on other databases do not apply.
  process.env.DATABASES = names.join()
  // Hundreds of test files load the same modules.
  process.env.NODE_COMPILE_CACHE ??= join(root, 'node_modules/.cache/tests')
}

/** One line per failure, and the command that runs its file. */
function printFailures(folders: readonly string[]): void {
  const lines = folders.flatMap(folder => {
    const failures = readReport(join(root, folder))?.failures ?? []
    return failures.map(({ file, path, client }) => {
      const on = client === null ? '' : ` --databases ${client}`
      return `${folder}/${path.join(' › ')}\n  npx pnpm@10 test ${folder}/${file}${on}`
    })
  })
  if (lines.length > 0) console.log(['', `${lines.length} failed:`, ...lines].join('\n'))
}

async function runWorkspace(): Promise<number> {
  const { packages, files, isChangedOnly, folders } = readCommand()
  const isWhole = packages.length === 0 && files.size === 0
  await announce(isWhole && !isChangedOnly)
  let code = 0
  if (files.size === 0 || packages.length > 0) {
    for (const folder of folders) rmSync(join(root, folder, '.tap/report.json'), { force: true })
    const filters = isChangedOnly ? ['...[HEAD]'] : packages.map(folder => `./${folder}`)
    const output = new TurboOutput(line => console.log(line))
    const isAll = isWhole && !isChangedOnly
    // Of all packages, types and style are checked in one process each, which takes a fifth of the time.
    const tasks = isAll ? ['test'] : ['types', 'lint', 'test']
    const words = ['run', ...tasks, '--continue', '--output-logs=full', '--log-order=stream']
    const turbo = join(root, 'node_modules/.bin/turbo')
    const codes = await Promise.all([
      ...(isAll ? ['types', 'lint'].map(checkAll) : []),
      run(turbo, [...words, ...filters.map(one => `--filter=${one}`)], root, text => output.read(text)),
    ])
    code = codes.find(one => one !== 0) ?? 0
    output.end()
  }
  const runner = join(import.meta.dirname, 'package.ts')
  for (const [folder, paths] of files)
    code = (await run(process.execPath, [runner, ...paths], join(root, folder))) || code
  printFailures(isWhole ? folders : [...packages, ...files.keys()])
  return code
}

try {
  process.exitCode = await runWorkspace()
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 1
}
