// Determines the risk of steps from the rows that they affect. Only reads.

import type { Ddl } from '../connection/ddl.ts'
import type { Session } from '../connection/session.ts'
import type { MigrationStep, PlannedStep, Probe, Risk } from './step.ts'

/** The maximum number of bad rows whose ids are listed. */
const maxNamed = 20

/** Returns the steps with their risks, without those that have nothing to do. */
export async function probeSteps(
  session: Session,
  ddl: Ddl,
  steps: readonly PlannedStep[],
  looksAtDrops: boolean,
): Promise<MigrationStep[]> {
  const probedSteps: MigrationStep[] = []
  for (const { probe, counts, ...step } of steps) {
    const isLeft = step.kind === 'drop' && !looksAtDrops && counts !== true
    const outcome = isLeft ? lossy : probe === undefined ? safe : await look(session, ddl, probe)
    if (outcome !== null) probedSteps.push({ ...step, ...outcome })
  }
  return probedSteps
}

interface ProbeOutcome {
  readonly risk: Risk
  readonly why: string
}

const safe: ProbeOutcome = { risk: 'safe', why: '' }
const lossy: ProbeOutcome = { risk: 'lossy', why: '' }

/** Returns null if there is nothing to do. */
async function look(session: Session, ddl: Ddl, probe: Probe): Promise<ProbeOutcome | null> {
  switch (probe.kind) {
    case 'never':
      return { risk: 'blocked', why: probe.why }
    case 'unless':
      return (await count(session, probe.count)) === 0 ? safe : { risk: 'blocked', why: probe.why }
    case 'text':
      return (await count(session, probe.count)) === 0 ? null : safe
    case 'clashes': {
      const duplicates = await session.all(probe.find, [])
      if (duplicates.length === 0) return safe
      const rowTexts = duplicates.map(row => row.slice(0, -1).map(String).join(', '))
      return { risk: 'blocked', why: `several rows have the same values: ${rowTexts.join('; ')}` }
    }
    case 'loss': {
      if (probe.withheld !== undefined && (await count(session, probe.withheld.count)) > 0)
        return { risk: 'blocked', why: probe.withheld.why }
      const lost = await count(session, probe.count)
      return { risk: 'lossy', why: `${lost} ${probe.unit}${lost === 1 ? '' : 's'} would be lost` }
    }
    case 'withheld': {
      const hidden = await count(session, probe.count)
      return hidden === 0 ? null : { risk: 'lossy', why: `${hidden} of the ${probe.entries} would be ${probe.verb}` }
    }
    case 'values':
      return lookAtValues(session, ddl, probe)
  }
}

async function lookAtValues(
  session: Session,
  ddl: Ddl,
  { count: all, bad, widens, why }: Extract<Probe, { kind: 'values' }>,
): Promise<ProbeOutcome> {
  const wrong = bad === '' ? 0 : await count(session, `SELECT COUNT(*) ${bad}`)
  if (wrong > 0) {
    if (why !== undefined) return { risk: 'blocked', why }
    const id = ddl.quote('id')
    const rows = await session.all(`SELECT ${id} ${bad} ORDER BY ${id} LIMIT ${maxNamed}`, [])
    const ids = rows.map(row => String(row[0])).join(', ')
    const more = wrong > rows.length ? ' and others' : ''
    const rest = wrong === 1 ? 'row has a value' : 'rows have values'
    return { risk: 'blocked', why: `${wrong} ${rest} that cannot be converted to the new type: id ${ids}${more}` }
  }
  const values = widens ? 0 : await count(session, all)
  if (values === 0) return safe
  return { risk: 'lossy', why: `${values} value${values === 1 ? '' : 's'} would be converted to a narrower type` }
}

async function count(session: Session, text: string): Promise<number> {
  return Number((await session.all(text, []))[0]![0])
}
