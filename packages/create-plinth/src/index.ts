// The command as a function: `run(['library', '--yes'])` makes an application and resolves to the exit code.

import { basename, resolve } from 'node:path'
import { type Choices, packageNameOf, withNeeded } from './choices.ts'
import { type Flags, flagsOf, usage } from './flags.ts'
import { clearFolder, makeFolder, writeFiles } from './folder.ts'
import { install, runIn } from './install.ts'
import { copyTarballs, version } from './packages.ts'
import { productionLines } from './production.ts'
import { program } from './project/container.ts'
import { secretsOf } from './project/environment.ts'
import { filesOf } from './project/files.ts'
import { makeEditor, studioAddress } from './project/studio.ts'
import { type Answers, answersFor } from './questions.ts'
import { Refusal } from './refusal.ts'
import { readSource, type Source, takeOver } from './v4/files.ts'
import type { Report } from './v4/report.ts'

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
  let report: Report
  try {
    report = await write({ dir, answers, source, tarballs: flags.tarballs })
  } catch (error) {
    await clearFolder(dir)
    throw error
  }
  // First, because an installation may fail.
  console.log(reportText(report, source !== null))
  if (flags.installs) await install(dir, answers.folder)
  if (flags.installs && source !== null) await inspect(dir, answers.folder)
  console.log(nextSteps(answers, flags.installs, source !== null))
}

/** The lists, for people. */
function reportText({ left, shut, stricter, production }: Report, isOfV4: boolean): string {
  const list = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? '' : `${title}:\n${lines.map(one => `  ${one}\n`).join('')}\n`
  return [
    isOfV4 ? list('Not taken along from the v4 project', left) : '',
    isOfV4 ? list('Shut, because code of the v4 project guarded it: config/plugins says how each is opened', shut) : '',
    isOfV4 ? list('Stricter than v4, by default', stricter) : '',
    list('Before a start in production', production),
  ]
    .join('')
    .trimEnd()
    .concat('\n')
}

/** The v4 project. Throws Refusal for options whose answers the project has. */
async function sourceOf(flags: Flags, dir: string): Promise<Source> {
  const stated = (['language', 'database', 'plugins'] as const).find(name => flags[name] !== undefined)
  if (stated !== undefined) throw new Refusal(`--${stated} does not go with --from-v4: the project says it`, 2)
  return readSource(dir, basename(resolve(flags.folder ?? '.')))
}

/** With a v4 project only the folder is asked for. */
function answersOf(flags: Flags, { choices }: Source): Promise<Answers> {
  return answersFor({ ...flags, ...choices, plugins: [...choices.plugins] })
}

interface ProjectInput {
  readonly dir: string
  readonly answers: Answers
  readonly source: Source | null
  readonly tarballs: string | undefined
}

/** Writes all files. Returns what somebody has to know of them. */
async function write({ dir, answers, source, tarballs }: ProjectInput): Promise<Report> {
  const chosen = withNeeded(answers.plugins)
  const choices: Choices = { ...answers, name: packageNameOf(basename(dir)), plugins: chosen }
  const ranges =
    tarballs === undefined
      ? new Map<string, string>()
      : await copyTarballs(tarballs, dir, [
          ...chosen,
          answers.database,
          ...(source?.project.databases ?? []),
          ...(source?.packages ?? []),
        ])
  if (source === null) {
    await writeFiles(dir, filesOf({ choices, ranges }))
    return { left: [], shut: [], stricter: [], production: productionLines(secretsOf(chosen), program) }
  }
  const { files, report } = await takeOver({ ...source, choices }, dir, ranges)
  await writeFiles(dir, files)
  return { ...report, production: [...report.production, ...productionLines(secretsOf(chosen), program)] }
}

/** Prints what `plinth doctor` finds in the application, and what a start in production would find there. Throws Refusal if it fails; the application stays. */
async function inspect(dir: string, folder: string): Promise<void> {
  console.log(`What plinth doctor finds in ${folder}, which has nothing of what is not taken along:\n`)
  const code = await runIn(dir, process.execPath, [program, 'doctor'])
  if (code === 0) return
  throw new Refusal(
    `plinth doctor failed with exit code ${code}. The files are in ${folder}: mend what it names, and run npx plinth doctor there again`,
  )
}

function nextSteps({ folder, database, plugins }: Answers, isInstalled: boolean, isOfV4: boolean): string {
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
    ...(plugins.includes('studio')
      ? [
          '',
          `Editors work at ${studioAddress}. While the application runs, this makes the first one:`,
          '',
          `  ${makeEditor}`,
        ]
      : []),
    '',
    'README.md has the rest.',
  ].join('\n')
}
