// Policies (B-13.45 to B-13.49): functions that may refuse a request before an action. A start finds those that actions
// name, in the folders of the application and among those of plugins; transports run them. Knows no transport.

import { findPolicyFiles, importPolicy, type PolicyFile } from '../application/policy-files.ts'
import { PolicyError, StartError, UsageError } from '../errors.ts'
import { nearest } from '../nearest.ts'
import { attributed, blaming } from '../registration/blame.ts'
import { calledBy, Registrar } from '../registration/registrar.ts'
import type { PolicySetting } from './actions.ts'
import type { Policy, PolicyContext, PolicyRun, PolicyTools, PolicyUse } from './policy.ts'
import { checkPolicy, checkPolicyUse } from './policy-checks.ts'

type Step = (policyContext: PolicyContext) => unknown

/** The policies of a kernel, as `kernel.policies`. */
export class Policies {
  readonly #registrar: Registrar
  readonly #added = new Map<string, Policy>()
  readonly #runs = new Map<string, PolicyRun>()
  #dir: string | null = null
  #tools: PolicyTools | null = null
  #files: Promise<ReadonlyMap<string, PolicyFile>> | null = null

  /** @internal */
  constructor(registrar: Registrar = new Registrar()) {
    this.#registrar = registrar
  }

  /** Adds a policy before the freeze: `plugin::<plugin>.<name>`, or `global::<name>` if the application adds it. */
  add(name: string, policy: Policy): void {
    const { plugin } = this.#registrar
    const refuse = this.#registrar.begin(`policy ${name}`)
    if (typeof name !== 'string' || !/^[\w-]+$/.test(name))
      refuse('the name must consist of letters, digits, "_" and "-"')
    checkPolicy(policy, refuse)
    const uid = plugin === 'app' ? `global::${name}` : `plugin::${plugin}.${name}`
    if (this.#added.has(uid)) refuse('already exists')
    this.#added.set(uid, policy)
  }

  /**
   * The function that a transport calls before the action, after it has checked the right to it; null without policies.
   */
  of(action: string): PolicyRun | null {
    return this.#runs.get(action) ?? null
  }

  /**
   * Finds the policies of all actions. `dir` is the folder of the application; null if no files are read.
   * @internal
   */
  async resolve(settings: readonly PolicySetting[], dir: string | null, tools: PolicyTools): Promise<void> {
    this.#dir = dir
    this.#tools = Object.freeze(tools)
    for (const { action, uses, plugin } of settings) {
      if (uses.length > 0) this.#runs.set(action, await this.#compose({ what: `action ${action}`, uses, plugin }))
    }
  }

  /**
   * Finds policies that run before something else than an action, for a transport that has such places; null if there
   * are none. `what` names the place in messages. Throws RegistrationError for a name that does not exist, and what
   * checks of settings throw. Only after the freeze.
   */
  async prepare(what: string, uses: readonly PolicyUse[]): Promise<PolicyRun | null> {
    const refuse = this.#registrar.refusal(what, 'app')
    for (const [i, use] of uses.entries()) checkPolicyUse(`policies.${i}`, use, refuse)
    return uses.length === 0 ? null : this.#compose({ what, uses, plugin: 'app' })
  }

  async #compose(place: Place): Promise<PolicyRun> {
    const steps: Step[] = []
    for (const use of place.uses) steps.push(await this.#step(place, use))
    return policyContext => runAll(steps, policyContext)
  }

  async #step({ what, plugin }: Place, use: PolicyUse): Promise<Step> {
    const frozen = this.#tools
    if (frozen === null)
      throw new UsageError('PLINTH_NOT_STARTED', 'Policies are found when the model is frozen; ask for them later')
    if (typeof use === 'function') {
      const run = attributed(use, { plugin, hook: `policy of ${what.replace(/^action /, '')}` })
      return policyContext => run(policyContext, {} as never, frozen)
    }
    const { name, config = {} } = typeof use === 'string' ? { name: use } : use
    const { uid, policy } = await this.#find(name, what, plugin)
    const { handler, validator } = typeof policy === 'function' ? { handler: policy } : policy
    const where = `${calledBy(plugin)}: ${what}: policy ${uid}`
    await blaming(`${where}: config`, () => validator?.(config as never))
    const run = attributed(handler, { plugin: ownerOf(uid), hook: `policy ${uid}` })
    return policyContext => run(policyContext, config as never, frozen)
  }

  #filesOf(): Promise<ReadonlyMap<string, PolicyFile>> {
    this.#files ??= this.#dir === null ? Promise.resolve(new Map()) : findPolicyFiles(this.#dir)
    return this.#files
  }

  /** A bare name is looked up among the global policies first, then in the API or plugin of the action (B-10.51). */
  async #find(name: string, what: string, plugin: string) {
    const files = await this.#filesOf()
    const [, local] = /^action ([^.]+)\./.exec(what) ?? []
    const bare = [`global::${name}`, ...(local === undefined ? [] : [`${local}.${name}`])]
    for (const uid of name.includes('::') ? [name] : bare) {
      const added = this.#added.get(uid)
      if (added !== undefined) return { uid, policy: added }
      const file = files.get(uid)
      if (file !== undefined) return { uid, policy: await loadPolicy(file) }
    }
    const hint = hintFor(name, [...this.#added.keys(), ...files.keys()])
    const refuse = this.#registrar.refusal(what, plugin)
    return refuse(`there is no policy "${name}"${hint}`, 'PLINTH_POLICY_UNKNOWN')
  }
}

/** Loads the policy of a file. Throws StartError if the file does not export one. */
async function loadPolicy(file: PolicyFile): Promise<Policy> {
  const policy = await importPolicy(file)
  checkPolicy(policy, fault => {
    throw new StartError('PLINTH_POLICY_INVALID', `${file.file}: ${fault}`)
  })
  return policy as Policy
}

/** A list of policies, and where it stands. */
interface Place {
  /** `action api::article.article.find`, for example. */
  readonly what: string
  readonly uses: readonly PolicyUse[]
  /** The plugin that wrote the list; `app` for the application. */
  readonly plugin: string
}

/** The uid of the policy whose name is nearest. */
function hintFor(name: string, uids: readonly string[]): string {
  const nameOf = (uid: string) => (name.includes('::') ? uid : uid.replace(/^global::|^[\w-]+::[\w-]+\./, ''))
  const near = nearest(name, uids.map(nameOf))
  const uid = uids.find(one => nameOf(one) === near)
  return uid === undefined ? '' : `, did you mean "${uid}"?`
}

/** The name of the plugin that a policy belongs to, for messages. */
function ownerOf(uid: string): string {
  return /^plugin::([\w-]+)\./.exec(uid)?.[1] ?? 'app'
}

async function runAll(steps: readonly Step[], policyContext: PolicyContext): Promise<void> {
  for (const step of steps) {
    const result = await step(policyContext)
    if (result !== true && result !== undefined) throw new PolicyError()
  }
}
