// The cron tasks that `config/server` names (`cron.tasks`), as far as its text and that of its imports can be read. Whether v4
// runs them is a setting, which is not checked here.

import { isNothing, memberOf, textOf } from '../syntax/values.ts'
import type { CronTask } from './model.ts'
import type { Sources } from './sources.ts'

/** The tasks; null if they could not be read, or only in part. */
export function cronTasksOf(sources: Sources): readonly CronTask[] | null {
  const file = sources.files('config').find(one => one.name === 'server')
  const module = file === undefined ? null : sources.module(file.path)
  if (module === null) return file === undefined ? [] : null
  const exported = module.exported()
  const settings = exported.kind === 'function' ? module.resultOf(exported.node, { mayAct: true }) : exported
  if (settings.kind !== 'object') return null
  const tasks = memberOf(memberOf(settings, 'cron'), 'tasks')
  if (isNothing(tasks)) return []
  if (tasks!.kind !== 'object' || !tasks!.isWhole) return null
  return [...tasks!.members].map(([name, task]) => ({ name, time: timeOf(name, task) }))
}

/** A task is a function by its time, or an object with the time in its options. */
function timeOf(name: string, task: Parameters<typeof memberOf>[0]): string | null {
  const rule = memberOf(memberOf(task, 'options'), 'rule') ?? memberOf(task, 'options')
  return textOf(rule) ?? (/^[\d*]/.test(name) ? name : null)
}
