/** The foreign plugin leaves out nothing of what a plugin can be, hear and ask: the lists come from the kernel. */
import type { HookName, HookRegistry, Kernel, ParameterDefinition, PlanDraft, PluginDefinition } from '@plinth/kernel'
import plugin from 'plinth-plugin-reading-time'
import t from 'tap'
import { start } from './stories.ts'

/** Hooks that are run without being compiled; those with a colon are plugins' own. */
type Uncompiled = Exclude<HookName, keyof HookRegistry['compiled'] | `${string}:${string}`>
const uncompiled: Record<Uncompiled, true> = { preModel: true }

/** Types know these words, nobody else does: a new one is missed here by the compiler, then by the test. */
const parameterWords: Record<keyof ParameterDefinition, true> = {
  name: true,
  schema: true,
  for: true,
  actions: true,
  depth: true,
  shape: true,
  fallback: true,
  isFixed: true,
  fallbackShape: true,
  rootOnly: true,
  plan: true,
  refuse: true,
}
const pluginWords: Record<keyof PluginDefinition, true> = {
  name: true,
  config: true,
  dependencies: true,
  after: true,
  typeOptions: true,
  tables: true,
  register: true,
  bootstrap: true,
  destroy: true,
}
/** Members that the published types omit. */
type InternalWord = 'isDropped' | 'isList' | 'hides' | 'isReadable' | 'metaLists' | 'plan' | 'rules'
const draftWords: Record<Exclude<keyof PlanDraft, InternalWord>, true> = {
  type: true,
  via: true,
  through: true,
  path: true,
  query: true,
  access: true,
  action: true,
  stage: true,
  parameter: true,
  where: true,
  hide: true,
  meta: true,
  answerList: true,
  drop: true,
}
const whereWords: Record<keyof NonNullable<Parameters<PlanDraft['where']>[1]>, true> = { narrow: true }

/** Notes what the plugin under test listens to. */
function watch({ hooks }: Kernel, heard: Set<string>): void {
  const on = hooks.on.bind(hooks) as (...args: unknown[]) => void
  hooks.on = ((name: string, ...rest: unknown[]) => {
    if (hooks.plugin === 'reading-time') heard.add(name)
    on(name, ...rest)
  }) as typeof hooks.on
}

t.test('every hook is heard', async t => {
  const heard = new Set<string>()
  const { kernel } = await start(t, { configure: kernel => watch(kernel, heard) })
  const hooks = [...Object.keys(kernel.hooks.compiled), ...Object.keys(uncompiled)]
  t.ok(hooks.length > 10, 'the kernel names its hooks')
  t.same([...heard].sort(), hooks.sort())
})

/** The draft; notes which of its members are used, and which options of `where`. */
function watched(draft: PlanDraft, used: Set<string>, options: Set<string>): PlanDraft {
  return new Proxy(draft, {
    get(target, key) {
      used.add(String(key))
      const value: unknown = Reflect.get(target, key, target)
      if (typeof value !== 'function') return value
      return (...args: unknown[]) => {
        if (key === 'where') for (const option of Object.keys(args[1] ?? {})) options.add(option)
        return Reflect.apply(value, target, args)
      }
    },
  })
}

t.test('every member of a plan draft is used', async t => {
  const used = new Set<string>()
  const options = new Set<string>()
  const { api } = await start(t, {
    configure: ({ hooks, parameters }) => {
      const on = hooks.on.bind(hooks) as (...args: unknown[]) => void
      hooks.on = ((name: string, ...rest: unknown[]) => {
        const listen = rest.pop() as (draft: PlanDraft, ...more: unknown[]) => unknown
        const isOwn = hooks.plugin === 'reading-time' && name === 'prePlan'
        on(
          name,
          ...rest,
          isOwn ? (draft: PlanDraft, access: unknown) => listen(watched(draft, used, options), access) : listen,
        )
      }) as typeof hooks.on
      const add = parameters.add.bind(parameters)
      parameters.add = definition =>
        add({ ...definition, plan: (draft, use) => definition.plan(watched(draft, used, options), use) })
    },
  })
  const reader = { authorization: 'Reader ann' }
  await api.get('/api/stories?populate=*&readingTime=all&measured=no', reader)
  await api.get('/api/stories?sort=readings.minutes&readingTime=short', reader)
  t.same([...used].sort(), Object.keys(draftWords).sort())
  t.same([...options].sort(), Object.keys(whereWords).sort())
})

t.test('every word of a parameter and of a plugin is used', async t => {
  const { kernel } = await start(t)
  const used = new Set(kernel.parameters.values().flatMap(Object.keys))
  t.same([...used].sort(), Object.keys(parameterWords).sort())
  t.same(Object.keys(plugin.plinth).sort(), Object.keys(pluginWords).sort())
})
