// Checks whether the tables of the database fit the model, before they are read or filled as a whole.

import type { Kernel } from '@plinth/kernel'
import { applyMigrations, type MigrationStep, planMigrations } from '@plinth/kernel/migrate'
import { TransferError } from './transfer-error.ts'

const isAddition = ({ kind, risk }: MigrationStep) =>
  risk === 'safe' && ['create', 'add', 'loosen', 'index', 'moments'].includes(kind)
/** Leftovers and indexes change no row, and moments that are text are read as such. */
const isDue = (step: MigrationStep) => !['drop', 'index', 'loosen', 'moments'].includes(step.kind)

/** Throws TransferError if tables or columns of the model are missing or have another form. */
export async function requireTables(kernel: Kernel): Promise<void> {
  const { steps } = await planMigrations(kernel)
  refuse(steps.filter(isDue))
}

/** Adds what is missing, as a start does. Throws TransferError if more is to be done than to add. */
export async function addTables(kernel: Kernel): Promise<void> {
  const { files, steps } = await planMigrations(kernel)
  refuse(steps.filter(step => isDue(step) && !isAddition(step)))
  if (files.some(file => !file.isDone) || steps.some(isAddition)) await applyMigrations(kernel)
}

/**
 * Gives imported entries a value in columns that would hide them: those of attributes that their types have no longer.
 * Entries that the archive itself hides so were refused.
 */
export async function showRows(kernel: Kernel): Promise<void> {
  const { steps } = await planMigrations(kernel)
  const names = steps.filter(step => step.kind === 'show').map(step => step.name)
  if (names.length > 0) await applyMigrations(kernel, names)
}

function refuse(steps: readonly MigrationStep[]): void {
  if (steps.length === 0) return
  const list = steps.map(step => `\n  ${step.name}`).join('')
  throw new TransferError(`The database does not match the model; run \`plinth migrate apply\` first:${list}`)
}
