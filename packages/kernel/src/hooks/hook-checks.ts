// Checks the options with which a hook is registered. A hook that could never run, or that would run for more types or
// actions than it names, is refused: otherwise a rule would be absent without any message.

import type { ContentType } from '../model/content-type.ts'
import type { Action } from '../query/query.ts'
import { checkEachOf, checkOneOf, checkSync, isAsync, isThenable, shown } from '../registration/checks.ts'
import { knownWords, type Refuse } from '../registration/registrar.ts'
import type { HookOptions } from './hook-options.ts'

const actionSet: Record<Action, true> = {
  find: true,
  findOne: true,
  count: true,
  create: true,
  update: true,
  delete: true,
}

/** Every action that hooks and parameters can name. Scopes of rights (`authorize`) may have others. */
export const actions = Object.keys(actionSet) as readonly Action[]
const writeActions: readonly Action[] = ['create', 'update', 'delete']

/** The options that one hook accepts. */
interface HookRule {
  /** It can be filtered by content type. */
  readonly isTyped?: true
  /** The actions it can be filtered by. */
  readonly actions?: readonly Action[]
  /** It can be switched on and off from write to write. */
  readonly isSwitched?: true
  /** Its caller does not await it, so a promise is refused. */
  readonly isSync?: true
}

/** The hooks of the kernel. Hooks that plugins declare accept the option `order` only. */
const rules: Readonly<Record<string, HookRule>> = {
  preModel: { isTyped: true, isSync: true },
  onModel: {},
  onMount: {},
  prePlan: { isTyped: true, actions, isSync: true },
  preExecute: { isTyped: true, actions },
  onExecute: { isTyped: true, actions },
  onPage: { isTyped: true, isSync: true, actions: ['find', 'count'] },
  preWrite: { isTyped: true, actions: writeActions },
  onLock: { isTyped: true, actions: writeActions, isSwitched: true },
  onWrite: { isTyped: true, actions: writeActions, isSwitched: true },
  onCommit: { isTyped: true, actions: writeActions, isSwitched: true },
  preReply: { isTyped: true, actions },
  onStatement: { isSync: true },
  onRemark: { isSync: true },
}

/** Hooks that plugins declare are called `<plugin>:<event>`. */
export const isOwnName = (name: string): boolean => /^[^:\s]+:[^:\s]+$/.test(name)

const code = 'PLINTH_HOOK_INVALID'
const notAwaited = 'must not be asynchronous, because its promise is not awaited'

/** Refuses a hook that is never called. `declared` are the hooks of plugins. */
export function checkHookName(name: string, declared: Iterable<string>, refuse: Refuse): void {
  if (Object.hasOwn(rules, name)) return
  const hookNames = [...Object.keys(rules), ...declared]
  if (!hookNames.includes(name)) refuse(`is not known${knownWords(name, hookNames)}`, code)
}

/** Refuses options that the hook does not have, and a value that is not a function. */
export function checkHook(name: string, options: HookOptions, fn: unknown, refuse: Refuse): void {
  const fail: Refuse = fault => refuse(fault, code)
  if (options === null || typeof options !== 'object') fail(`options must be an object, found ${shown(options)}`)
  if (typeof fn !== 'function') fail(`needs a function, found ${shown(fn)}`)
  const rule = rules[name] ?? {}
  checkKeys(options, rule, fail)
  if (options.for !== undefined) checkSync('for', options.for, fail)
  if (options.actions !== undefined) checkEachOf('actions', options.actions, rule.actions!, fail)
  if (options.when !== undefined) checkSync('when', options.when, fail)
  if (options.order !== undefined) checkOneOf('order', options.order, ['pre', 'post'], fail)
  if (rule.isSync && isAsync(fn)) refuse(notAwaited, 'PLINTH_HOOK_ASYNC')
}

function checkKeys(options: HookOptions, { isTyped, actions, isSwitched }: HookRule, fail: Refuse): void {
  const own = [...(isTyped ? ['for'] : []), ...(actions === undefined ? [] : ['actions']), 'order']
  const optionNames = isSwitched ? [...own, 'when'] : own
  for (const key of Object.keys(options)) {
    if (optionNames.includes(key)) continue
    const isElsewhere = key === 'for' || key === 'actions' || key === 'when'
    fail(isElsewhere ? `${key} has no effect on this hook` : `${key} is not known${knownWords(key, optionNames)}`)
  }
}

/** Evaluates the filter `for` of a hook. A promise is refused, because it would count as true for every type. */
export function isFor(type: ContentType, options: HookOptions, refuse: () => Refuse): boolean {
  const answer: unknown = options.for === undefined || options.for(type)
  if (isThenable(answer)) {
    answer.then(undefined, () => {})
    refuse()(`for ${notAwaited}`, code)
  }
  return Boolean(answer)
}
