// `plinth migrate`: prints the steps that bring the database to the model, and executes them.

import type { Kernel } from '@plinth/kernel'
import { applyMigrations, type MigrationStep, planMigrations, undoMigration } from '@plinth/kernel/migrate'
import { defineCommand } from '#citty'
import { Failure } from './failure.ts'
import { dirOption, withKernel } from './open.ts'
import { planText, statusText, stepLine } from './plan-text.ts'
import { withExamples } from './usage.ts'

const json = { type: 'boolean', description: 'print JSON' } as const
const args = { dir: dirOption, json }

const plan = withExamples(
  defineCommand({
    meta: { name: 'plan', description: 'print the SQL that would bring the database to the model; changes nothing' },
    args,
    run: ({ args }) =>
      withKernel(args.dir, async kernel => {
        const migrations = await planMigrations(kernel)
        console.log(args.json ? JSON.stringify(migrations, null, 2) : planText(migrations))
      }),
  }),
  ['plinth migrate plan          # the SQL of each step, and which steps lose data', 'plinth migrate plan --json'],
)

const apply = withExamples(
  defineCommand({
    meta: {
      name: 'apply',
      description: 'run the migration files, the safe steps, and the lossy steps that are named',
    },
    args: {
      ...args,
      step: { type: 'positional', description: 'lossy steps to run too, such as drop:articles.rank', required: false },
    },
    run: ({ args }) => withKernel(args.dir, kernel => applyIn(kernel, args), { withoutDatabase: 'create' }),
  }),
  [
    'plinth migrate apply                      # migration files and safe steps',
    'plinth migrate apply drop:articles.rank   # this lossy step too',
  ],
)

async function applyIn(
  kernel: Kernel,
  args: { readonly _: readonly string[]; readonly json?: boolean | undefined },
): Promise<void> {
  const applied = await applyMigrations(kernel, args._)
  if (args.json) {
    console.log(JSON.stringify(applied, null, 2))
    return
  }
  for (const name of applied.files) console.log(`ran      ${name}`)
  for (const step of applied.done) console.log(`ran      ${step.name}`)
  for (const warning of applied.warnings) console.log(`warning  ${warning}`)
  for (const step of applied.left) console.log(`pending  ${stepLine(step)}`)
  if (applied.files.length + applied.done.length === 0) console.log('There was nothing to do.')
}

const status = withExamples(
  defineCommand({
    meta: {
      name: 'status',
      description: 'print what has run and what is pending; exits with 1 if something is pending',
    },
    args,
    run: ({ args }) =>
      withKernel(args.dir, async kernel => {
        const migrations = await planMigrations(kernel)
        console.log(args.json ? JSON.stringify(migrations, null, 2) : statusText(migrations))
        // Leftovers may stay, and so may rows that clash: neither makes the status fail.
        const isDue = (step: MigrationStep) => step.kind !== 'drop' && (step.kind !== 'index' || step.risk === 'safe')
        if (migrations.files.some(file => !file.isDone) || migrations.steps.some(isDue)) throw new Failure('')
      }),
  }),
  ['plinth migrate status || plinth migrate apply'],
)

const down = withExamples(
  defineCommand({
    meta: { name: 'down', description: 'run `down` of the migration file that ran last' },
    args: { dir: dirOption },
    run: ({ args }) =>
      withKernel(args.dir, async kernel => {
        const name = await undoMigration(kernel)
        console.log(name === null ? 'No migration file has run.' : `reverted ${name}`)
      }),
  }),
  ['plinth migrate down'],
)

export const migrate = withExamples(
  defineCommand({
    meta: { name: 'migrate', description: 'bring the database to the model' },
    subCommands: { plan, apply, status, down },
  }),
  [
    'plinth migrate plan                       # the SQL of each step, and which steps lose data',
    'plinth migrate apply                      # migration files and safe steps',
    'plinth migrate apply drop:articles.rank   # this lossy step too',
    'plinth migrate status                     # exits with 1 if something is to be done',
  ],
)
