// A plan as people read it: what runs, what may be lost, and how to ask for it.

import type { MigrationPlan, Risk, Step } from '@plinth/kernel/migrate'

/** Files, then steps with their SQL, then what to type. */
export function planText({ files, steps }: MigrationPlan): string {
  const waiting = files.filter(file => !file.isDone)
  if (waiting.length + steps.length === 0) return 'The database is as the model says.'
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

/** One line a file and a step. */
export function statusText({ files, steps }: MigrationPlan): string {
  const lines = files.map(({ name, isDone }) => `${isDone ? 'ran    ' : 'waiting'}  ${name}`)
  for (const step of steps) lines.push(`${step.risk.padEnd(7)}  ${stepLine(step)}`)
  if (steps.length === 0) lines.push('The tables are as the model says.')
  return lines.join('\n')
}

/** A step's name and what there is to know about it. */
export function stepLine({ name, why }: Step): string {
  return why === '' ? name : `${name}: ${why}`
}

function advice(steps: readonly Step[], files: number): string[] {
  const named = (risk: Risk) => steps.filter(step => step.risk === risk).map(step => step.name)
  const [safe, lossy, blocked] = [named('safe').length + files, named('lossy'), named('blocked')]
  const lines = [`${safe} safe, ${lossy.length} lossy, ${blocked.length} blocked.`]
  if (safe > 0) lines.push('`plinth migrate apply` does the safe ones.')
  if (lossy.length > 0) lines.push(`Lossy ones are only done when named: plinth migrate apply ${lossy[0]}`)
  return lines
}
