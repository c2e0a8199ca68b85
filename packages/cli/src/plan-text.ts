// Formats a plan for reading: what will run, what may be lost, and which command to type.

import type { MigrationPlan, MigrationStep, Risk } from '@plinth/kernel/migrate'

/** The files, then the steps with their SQL, then the commands to type. */
export function planText({ files, steps }: MigrationPlan): string {
  const waiting = files.filter(file => !file.isDone)
  if (waiting.length + steps.length === 0) return 'The database matches the model.'
  const lines: string[] = []
  for (const { name } of waiting)
    lines.push(`safe     run:${name}`, `         -- up() of database/migrations/${name}`, '')
  for (const step of steps) {
    lines.push(
      `${step.risk.padEnd(8)} ${step.name}`,
      `         -- ${step.says}${step.why === '' ? '' : `: ${step.why}`}`,
    )
    for (const text of step.sql) lines.push(`         ${text.replaceAll(/\s+/g, ' ')};`)
    lines.push('')
  }
  return [...lines, ...advice(steps, waiting.length)].join('\n')
}

/** One line per file and per step. */
export function statusText({ files, steps }: MigrationPlan): string {
  const lines = files.map(({ name, isDone }) => `${isDone ? 'ran    ' : 'pending'}  ${name}`)
  for (const step of steps) lines.push(`${step.risk.padEnd(7)}  ${stepLine(step)}`)
  if (steps.length === 0) lines.push('The tables match the model.')
  return lines.join('\n')
}

/** The name of a step, and the reason for its risk if there is one. */
export function stepLine({ name, why }: MigrationStep): string {
  return why === '' ? name : `${name}: ${why}`
}

function advice(steps: readonly MigrationStep[], files: number): string[] {
  const namesOf = (risk: Risk) => steps.filter(step => step.risk === risk).map(step => step.name)
  const [safe, lossy, blocked] = [namesOf('safe').length + files, namesOf('lossy'), namesOf('blocked')]
  const lines = [`${safe} safe, ${lossy.length} lossy, ${blocked.length} blocked.`]
  if (safe > 0) lines.push('`plinth migrate apply` runs the safe steps.')
  if (lossy.length > 0) lines.push(`Lossy steps run only if they are named: plinth migrate apply ${lossy[0]}`)
  return lines
}
