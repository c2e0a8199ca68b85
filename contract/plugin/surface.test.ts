/**
 * The fixture plugin uses every hook, every registration, every member of a plan draft, every key of a parameter and
 * every key of a plugin, and docs/plugins.md names them; the lists come from the kernel.
 */

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type {
  HookName,
  HookOptions,
  HookRegistry,
  Kernel,
  ParameterDefinition,
  ParameterOffer,
  PlanDraft,
  PluginDefinition,
} from '@plinth/kernel'
import plugin from 'plinth-plugin-reading-time'
import t from 'tap'
import { start } from './stories.ts'

/** Hooks that are called without being compiled. Names with a colon are hooks of plugins. */
type Uncompiled = Exclude<HookName, keyof HookRegistry['compiled'] | `${string}:${string}`>
const uncompiled: Record<Uncompiled, true> = { preModel: true }

/** These keys exist only in types. If one is added, the compiler reports it here, and then the test fails. */
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
  offer: true,
  choices: true,
  deleted: true,
}
const offerWords: Record<keyof ParameterOffer, true> = {
  many: true,
  one: true,
  nested: true,
  writes: true,
  default: true,
  typeName: true,
  description: true,
  refuseLiteral: true,
}
const pluginWords: Record<keyof PluginDefinition, true> = {
  name: true,
  config: true,
  dependencies: true,
  after: true,
  typeOptions: true,
  pluginOptions: true,
  secretNames: true,
  tables: true,
  ownTables: true,
  commands: true,
  inspect: true,
  register: true,
  bootstrap: true,
  destroy: true,
}
/** Members that the published types omit. */
type InternalWord =
  | 'isRestricted'
  | 'isDropped'
  | 'isList'
  | 'hides'
  | 'isReadable'
  | 'metaMembers'
  | 'plan'
  | 'rules'
  | 'withhold'
  | 'hidden'
  | 'dropReason'
const draftWords: Record<Exclude<keyof PlanDraft, InternalWord>, true> = {
  type: true,
  via: true,
  through: true,
  inverses: true,
  path: true,
  query: true,
  access: true,
  action: true,
  stage: true,
  parameter: true,
  where: true,
  hide: true,
  forbid: true,
  declareClosed: true,
  meta: true,
  answerList: true,
  drop: true,
  refuse: true,
  isShownWithEntry: true,
}
const whereWords: Record<keyof NonNullable<Parameters<PlanDraft['where']>[1]>, true> = { narrow: true }

/** What can be registered, by the member of the kernel. */
const registrations = {
  actions: ['add', 'set'],
  attributeTypes: ['add', 'replace'],
  auth: ['use'],
  contentTypes: ['add', 'addComponent', 'extend'],
  hooks: ['declare'],
  lifecycles: ['subscribe'],
  operators: ['add'],
  parameters: ['add'],
  policies: ['add'],
  readiness: ['add'],
  services: ['provide'],
} as const satisfies { readonly [Member in keyof Kernel]?: readonly (keyof Kernel[Member])[] }

const registrationNames = Object.entries(registrations).flatMap(([member, names]) =>
  names.map(name => `${member}.${name}`),
)

/** Notes what the plugin under test registers, and the settings of its types. */
function watchRegistrations(kernel: Kernel, called: Set<string>, settings: Set<string>): void {
  for (const [member, names] of Object.entries(registrations)) {
    const target = kernel[member as keyof typeof registrations] as unknown as Record<
      string,
      (...args: unknown[]) => unknown
    >
    for (const name of names) {
      const known = target[name]!.bind(target)
      target[name] = (...args) => {
        if (kernel.hooks.plugin === 'reading-time') {
          called.add(`${member}.${name}`)
          if (name === 'add' && member === 'contentTypes')
            for (const word of Object.keys(args[1] ?? {})) settings.add(word)
        }
        return known(...args)
      }
    }
  }
}

/** Hooks that run for one type, and can therefore be filtered; `preModel` is one that is not compiled. */
type Filtered =
  | 'prePlan'
  | 'preExecute'
  | 'onExecute'
  | 'onPage'
  | 'preWrite'
  | 'onLock'
  | 'onWrite'
  | 'onCommit'
  | 'preReply'
  | 'preModel'
const filtered: Record<Filtered, true> = {
  prePlan: true,
  preExecute: true,
  onExecute: true,
  onPage: true,
  preWrite: true,
  onLock: true,
  onWrite: true,
  onCommit: true,
  preReply: true,
  preModel: true,
}

/** Notes what the plugin under test listens to, and for types it selects. */
function watch({ hooks }: Kernel, observed: Set<string>, selected = new Set<string>()): void {
  const on = hooks.on.bind(hooks) as (...args: unknown[]) => void
  hooks.on = ((name: string, ...rest: unknown[]) => {
    if (hooks.plugin === 'reading-time') observed.add(name)
    if (hooks.plugin === 'reading-time' && (rest[0] as HookOptions).for !== undefined) selected.add(name)
    on(name, ...rest)
  }) as typeof hooks.on
}

t.test('the plugin listens to every hook', async t => {
  const used = new Set<string>()
  const { kernel } = await start(t, { configure: kernel => watch(kernel, used) })
  const hooks = [...Object.keys(kernel.hooks.compiled), ...Object.keys(uncompiled)]
  t.ok(hooks.length > 10, 'the kernel names its hooks')
  t.same([...used].sort(), hooks.sort())
})

t.test('everything that can be registered is', async t => {
  const called = new Set<string>()
  const settings = new Set<string>()
  await start(t, { configure: kernel => watchRegistrations(kernel, called, settings) })
  t.same([...called].sort(), registrationNames.toSorted())
  t.same([...settings].sort(), ['actions', 'routes', 'uid'])
})

t.test('every hook of types is filtered by type', async t => {
  const selected = new Set<string>()
  await start(t, { configure: kernel => watch(kernel, new Set(), selected) })
  t.same([...selected].sort(), Object.keys(filtered).sort())
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

t.test('every key of a parameter and of a plugin is used', async t => {
  const { kernel } = await start(t)
  const used = new Set(kernel.parameters.values().flatMap(Object.keys))
  t.same([...used].sort(), Object.keys(parameterWords).sort())
  const own = ['readingTime', 'maxMinutes', 'minMinutes', 'measured']
  const offers = kernel.parameters.values().flatMap(one => (own.includes(one.name) ? Object.keys(one.offer ?? {}) : []))
  t.same([...new Set(offers)].sort(), Object.keys(offerWords).sort())
  t.same(Object.keys(plugin.plinth).sort(), Object.keys(pluginWords).sort())
})

/** What the tables below a heading describe: the code in their first cells, one line each. */
function described(document: string, heading: string): string {
  const [, section] = new RegExp(`^#+ ${heading}\\n([\\s\\S]*?)(?=^##+ )`, 'm').exec(document) ?? []
  const cells = [...(section ?? '').matchAll(/^\| ((?:\\\||[^|])*)\|/gm)].map(([, cell]) => cell!)
  return cells.flatMap(cell => [...cell.matchAll(/`([^`]+)`/g)].map(([, code]) => code)).join('\n')
}

t.test('docs/plugins.md names everything', async t => {
  const document = await readFile(join(import.meta.dirname, '../../docs/plugins.md'), 'utf8')
  const { kernel } = await start(t)
  const sections: Readonly<Record<string, readonly string[]>> = {
    'Keys of a plugin': Object.keys(pluginWords),
    Registrations: registrationNames.map(name => `kernel.${name}`),
    Hooks: [...Object.keys(kernel.hooks.compiled), ...Object.keys(uncompiled)],
    Parameters: [...Object.keys(parameterWords), ...Object.keys(offerWords)],
    'The draft of a plan': Object.keys(draftWords),
  }
  for (const [heading, words] of Object.entries(sections)) {
    const code = described(document, heading)
    const missing = words.filter(word => !new RegExp(`^${word.replaceAll('.', '\\.')}\\b`, 'm').test(code))
    t.same(missing, [], heading)
  }
  const [where = ''] = /^where\b.*/m.exec(described(document, 'The draft of a plan')) ?? []
  const missing = Object.keys(whereWords).filter(word => !new RegExp(`\\b${word}\\b`).test(where))
  t.same(missing, [], 'options of where')
})
