// The part of the report that only projects of v4 have: their code, their plugins, what is stored for both, and an
// estimate.

import type { LocalPlugin } from '@plinth/v4/plugins'
import type { V4Project } from '@plinth/v4/project'
import type { ReportedGuard } from '../guarded.ts'
import type { Survey } from '../survey.ts'
import { codeIn } from './code.ts'
import { type Estimate, type EstimatedProject, estimateOf } from './estimate.ts'
import { type UnindexedAttribute, unindexedIn } from './indexes.ts'
import { findSettings } from './settings.ts'
import { findStored } from './stored.ts'

/** The part, as `plinth doctor --json` prints it. */
export interface V4Report extends EstimatedProject {
  readonly unindexed: readonly UnindexedAttribute[]
  readonly estimate: Estimate
}

/** The input from which the part is made. */
export interface V4Source {
  readonly dir: string
  readonly packages: Readonly<Record<string, string>>
  readonly survey: Survey
  /** Actions that code guards or replaces. */
  readonly guarded: readonly ReportedGuard[]
  /** Tables that Plinth does not use. */
  readonly unused: readonly string[]
}

export async function v4ReportOf({ dir, packages, survey, guarded, unused }: V4Source): Promise<V4Report> {
  // Not at the top: the parser takes a while to load, and other projects do not need it.
  const { readV4Project } = await import('@plinth/v4/project')
  const { installedPlugins, localPlugins } = await import('@plinth/v4/plugins')
  const project = readV4Project(dir)
  const { rest } = (await findSettings(dir, 'api', true)).value as { readonly rest?: { readonly prefix?: unknown } }
  const prefix = typeof rest?.prefix === 'string' ? rest.prefix : '/api'
  const code = codeIn(project, prefix)
  const local = localPlugins(dir).map(one => ({ ...one, routes: one.routes.map(route => withAddress(route, prefix)) }))
  const plugins = installedPlugins(dir, packages)
  const cron = await cronIn(dir, project.cronTasks)
  const stored = await findStored({
    dir,
    settings: survey.databaseSettings,
    contentTypes: survey.contentTypes,
    plugins: survey.plugins,
    localPlugins: local,
    others: unused,
  })
  const parts = { code, plugins, localPlugins: local, cron, stored }
  return {
    ...parts,
    unindexed: unindexedIn(project.compared, survey.contentTypes),
    estimate: estimateOf({ ...parts, guarded, contentTypes: survey.contentTypes }),
  }
}

/** A route of the API with its whole path. */
const withAddress = (route: LocalPlugin['routes'][number], apiPrefix: string) =>
  route.type === 'content-api' ? { ...route, path: `${apiPrefix}${route.prefix}${route.path}` } : route

/** The cron tasks of config/server, which v4 runs if `enabled` is set. `read`: those that its text has. */
async function cronIn(dir: string, read: V4Project['cronTasks']): Promise<readonly string[]> {
  const { cron } = (await findSettings(dir, 'server', true)).value as {
    readonly cron?: { readonly enabled?: unknown; readonly tasks?: unknown }
  }
  if (!cron?.enabled) return []
  // Tasks that code puts together are known if the file has run.
  const taskNames = typeof cron.tasks === 'object' && cron.tasks !== null ? Object.keys(cron.tasks) : []
  if (read === null) return taskNames.length > 0 ? taskNames : ['tasks that could not be read']
  return read.map(({ name, time }) => (time === null || time === name ? name : `${name}: ${time}`))
}
