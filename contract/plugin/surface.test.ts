/** The foreign plugin leaves out nothing of what a plugin can be, hear and ask: the lists come from the kernel. */
import type { HookName, HookRegistry, Kernel, ParameterDefinition, PluginDefinition } from '@plinth/kernel'
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

t.test('every word of a parameter and of a plugin is used', async t => {
  const { kernel } = await start(t)
  const used = new Set(kernel.parameters.values().flatMap(Object.keys))
  t.same([...used].sort(), Object.keys(parameterWords).sort())
  t.same(Object.keys(plugin.plinth).sort(), Object.keys(pluginWords).sort())
})
