// Reads what the page says about where the panel and the API are.

/** The module that a plugin of the server brings, and its styles. */
export interface PluginModule {
  readonly name: string
  readonly module: string
  readonly styles: string | null
}

/** The paths of the panel and of the API, and what else the page says. */
export interface Start {
  readonly path: string
  readonly api: string
  /** The prefix of the server; empty for none. */
  readonly root: string
  readonly title: string
  /** True if a new entry is a draft by default. */
  readonly beginsAsDraft: boolean
  readonly plugins: readonly PluginModule[]
  /** The origins of other servers whose images and videos the policy of the page lets be shown. */
  readonly mediaOrigins: readonly string[]
}

export const start: Start = JSON.parse(document.getElementById('studio-start')!.textContent)
