// The command as a function: `run(['library', '--yes'])` makes an application and resolves to the exit code.

import { basename, resolve } from 'node:path'
import { type Choices, packageNameOf } from './choices.ts'
import { type Flags, flagsOf, usage } from './flags.ts'
import { clearFolder, makeFolder, writeFiles } from './folder.ts'
import { install, runIn } from './install.ts'
import { copyTarballs, version } from './packages.ts'
import { program } from './project/container.ts'
import { filesOf } from './project/files.ts'
import { type Answers, answersFor } from './questions.ts'
import { Refusal } from './refusal.ts'
import { readSource, type Source, takeOver } from './v4/files.ts'

/** Makes an application. Returns 0 if it was made, 1 if not, and 2 if the words are wrong. */
export async function run(args: readonly string[]): Promise<number> {
  try {
    const flags = flagsOf(args)
    if (flags.help || flags.version) console.log(flags.help ? usage : version)
    else await create(flags)
    return 0
  } catch (error) {
    // Also what nobody has expected is one line: errors of files have the path in their message.
    const message = error instanceof Error ? error.message : String(error)
    if (message !== '') console.error(`create-plinth: ${message.replaceAll(/\s*\n\s*/g, ' ')}`)
    return error instanceof Refusal ? error.code : 1
  }
}

async function create(flags: Flags): Promise<void> {
  const source = flags.fromV4 === undefined ? null : await sourceOf(flags, resolve(flags.fromV4))
  const answers = source === null ? await answersFor(flags) : await answersOf(flags, source)
  const dir = resolve(answers.folder)
  await makeFolder(dir, answers.folder)
  let left: readonly string[]
  try {
    left = await write({ dir, answers, source, tarballs: flags.tarballs })
  } catch (error) {
    await clearFolder(dir)
    throw error
  }
  // First, because an installation may fail.
  if (source !== null) console.log(`Not taken along from the v4 project:\n${left.map(one => `  ${one}\n`).join('')}`)
  if (flags.installs) await install(dir, answers.folder)
  if (flags.installs && source !== null) await inspect(dir, answers.folder)
  console.log(nextSteps(answers, flags.installs, source !== null))
}

/** The v4 project. Throws Refusal for options whose answers the project has. */
async function sourceOf(flags: Flags, dir: string): Promise<Source> {
  const known = (['language', 'database', 'plugins'] as const).find(name => flags[name] !== undefined)
  if (known !== undefined) throw new Refusal(`--${known} does not go with --from-v4: the project says it`, 2)
  return readSource(dir, basename(resolve(flags.folder ?? '.')))
}

/** With a v4 project only the folder is asked for. */
function answersOf(flags: Flags, { choices }: Source): Promise<Answers> {
  return answersFor({ ...flags, ...choices, plugins: [...choices.plugins] })
}

interface Writing {
  readonly dir: string
  readonly answers: Answers
  readonly source: Source | null
  readonly tarballs: string | undefined
}

/** Writes all files. Returns what of a v4 project is not taken along. */
async function write({ dir, answers, source, tarballs }: Writing): Promise<readonly string[]> {
  const chosen = new Set(answers.plugins)
  const choices: Choices = { ...answers, name: packageNameOf(basename(dir)), plugins: chosen }
  const ranges =
    tarballs === undefined
      ? new Map<string, string>()
      : await copyTarballs(tarballs, dir, [...chosen, ...(source?.packages ?? [])])
  if (source === null) {
    await writeFiles(dir, filesOf({ choices, ranges }))
    return []
  }
  const { files, left } = await takeOver({ ...source, choices }, dir, ranges)
  await writeFiles(dir, files)
  return left
}

/** Prints what `plinth doctor` finds in the application. Throws Refusal if it fails; the application stays. */
async function inspect(dir: string, named: string): Promise<void> {
  console.log('What plinth doctor finds:\n')
  const code = await runIn(dir, process.execPath, [program, 'doctor'])
  if (code === 0) return
  throw new Refusal(
    `plinth doctor failed with exit code ${code}. The files are in ${named}: mend what it names, and run npx plinth doctor there again`,
  )
}

function nextSteps({ folder, database }: Answers, isInstalled: boolean, isOfV4: boolean): string {
  const needsDatabase = database !== 'sqlite' && !isOfV4
  return [
    `The application is in ${folder}. What to do next:`,
    '',
    ...(resolve(folder) === process.cwd() ? [] : [`  cd ${folder}`]),
    ...(isInstalled ? [] : ['  npm install']),
    ...(needsDatabase ? ['  # make the database, and write its name and password into .env'] : []),
    ...(isOfV4 ? ['  npx plinth doctor'] : []),
    `  npm run dev${isOfV4 ? '' : '     # http://localhost:1337/api/articles'}`,
    '  npm test',
    '',
    'README.md has the rest.',
  ].join('\n')
}
